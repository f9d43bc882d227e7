import test from 'ava';
import {METADATA} from '../../fixtures/broken/broken.js';
import {BROKEN_METADATA} from '../../fixtures/broken/metadata.js';
import {expectFailures} from './expect-failures.js';

expectFailures(test, BROKEN_METADATA, METADATA);
