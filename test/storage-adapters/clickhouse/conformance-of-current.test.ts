import {IS_KIT_BRIEF} from '../../support/fuzz.js';
import {startChdb} from '../../support/servers/chdb.js';
import {testKitOver} from './kit-of.js';

testKitOver('chdb', 'clickhouse with the current engine', startChdb, IS_KIT_BRIEF);
