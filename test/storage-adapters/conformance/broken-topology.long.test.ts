import test from 'ava';
import {TOPOLOGY} from '../../fixtures/broken/broken.js';
import {BROKEN_TOPOLOGY} from '../../fixtures/broken/topology.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_TOPOLOGY, TOPOLOGY);
