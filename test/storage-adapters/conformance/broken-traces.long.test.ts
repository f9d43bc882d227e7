import test from 'ava';
import {COMPAT} from '../../fixtures/broken/broken.js';
import {BROKEN_TRACES} from '../../fixtures/broken/traces.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_TRACES, COMPAT);
