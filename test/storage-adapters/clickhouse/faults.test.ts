import test from 'ava';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {testFaults} from '../faults/test-faults.js';

testFaults(test, {
  name: 'clickhouse',
  needs: ['clickhouse-server'],
  server: async (t, data) => {
    const {process, ports} = await startClickHouse(t, data === undefined ? {} : {data});
    return {process, port: ports.http};
  },
  storage: port => ({use: 'clickhouse', config: {urls: [`http://127.0.0.1:${port}`], database: 'gateway'}}),
});
