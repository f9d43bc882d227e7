import {startChdb} from '../../support/servers/chdb.js';
import {testKitOver} from './kit-of.js';

testKitOver('chdb', 'clickhouse with the current engine', startChdb);
