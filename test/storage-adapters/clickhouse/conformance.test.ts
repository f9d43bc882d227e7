import {startClickHouse} from '../../support/servers/clickhouse.js';
import {testKitOver} from './kit-of.js';

testKitOver('clickhouse-server', 'clickhouse', startClickHouse);
