import test from 'ava';
import {METRICS} from '../../fixtures/broken/broken.js';
import {BROKEN_SUMS} from '../../fixtures/broken/sums.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_SUMS, METRICS);
