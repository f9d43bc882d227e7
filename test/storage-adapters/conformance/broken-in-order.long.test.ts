import test from 'ava';
import {COMPAT, NATIVE} from '../../fixtures/broken/broken.js';
import {BROKEN_COMPAT_IN_ORDER, BROKEN_NATIVE_IN_ORDER} from '../../fixtures/broken/in-order.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_COMPAT_IN_ORDER, COMPAT);
expectFailures(test, BROKEN_NATIVE_IN_ORDER, NATIVE);
