import test from 'ava';
import {OTLP} from '../../fixtures/broken/broken.js';
import {BROKEN_ENCODED, BROKEN_OTLP} from '../../fixtures/broken/otlp.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, [...BROKEN_OTLP, ...BROKEN_ENCODED], OTLP);
