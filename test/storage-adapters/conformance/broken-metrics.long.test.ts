import test from 'ava';
import {METRICS} from '../../fixtures/broken/broken.js';
import {BROKEN_METRICS} from '../../fixtures/broken/metrics.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_METRICS, METRICS);
