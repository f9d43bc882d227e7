import test from 'ava';
import {METADATA} from '../../fixtures/broken/broken.js';
import {BROKEN_METADATA, BROKEN_VERSIONS} from '../../fixtures/broken/metadata.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, [...BROKEN_METADATA, ...BROKEN_VERSIONS], METADATA);
