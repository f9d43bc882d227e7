import test from 'ava';
import {WRITING} from '../../fixtures/broken/broken.js';
import {BROKEN_DEFINITIONS} from '../../fixtures/broken/definition.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_DEFINITIONS, WRITING);
