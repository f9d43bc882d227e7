import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import adapter, {memoryStore} from '../../fixtures/memory-adapter.js';

testAdapter(test, {adapter, config: ({name}) => memoryStore(name), expects: CAPABILITY_NAMES});

testAdapter(test, {
  name: 'memory, one store for all groups',
  adapter,
  config: {space: 'shared'},
  expects: CAPABILITY_NAMES,
});
