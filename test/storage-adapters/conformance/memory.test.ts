import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import adapter from '../../fixtures/memory-adapter.js';

testAdapter(test, {adapter, config: {}, expects: CAPABILITY_NAMES});
