import test from 'ava';
import {NATIVE} from '../../fixtures/broken/broken.js';
import {BROKEN_NATIVE} from '../../fixtures/broken/native.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_NATIVE, NATIVE);
