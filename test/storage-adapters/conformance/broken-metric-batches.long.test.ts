import test from 'ava';
import {METRICS} from '../../fixtures/broken/broken.js';
import {BROKEN_BATCHES} from '../../fixtures/broken/metric-batches.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_BATCHES, METRICS);
