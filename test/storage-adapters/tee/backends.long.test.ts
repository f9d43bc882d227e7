import test from 'ava';
import {get} from '../../support/http.js';
import {suiteWith} from '../../support/programs.js';
import {ALL_REQUESTS} from '../../swap/compare.js';
import {type Backend, EMBEDDED, loadInto, OTHERS, send, startOver} from '../../swap/gateways.js';
import {tee} from './scene.js';

const IN_ONE_BODY = 30_011;
const OF_METRICS = ['metrics.query.v1', 'metadata.query.v1'];

for (const other of OTHERS.filter(({name}) => name === 'ClickHouse' || name === 'PostgreSQL')) {
  suiteWith(test, other.needs, `a tee over embedded and ${other.name}`, () => {
    test.serial(`what dashboards ask never differs between embedded and ${other.name}`, async t => {
      const backend: Backend = {
        ...other,
        storage: async owner => tee(await EMBEDDED.storage(owner), await other.storage(owner)),
      };
      const gateway = await startOver(t, backend);
      await loadInto(gateway, backend, IN_ONE_BODY);
      const counts = async (result: string): Promise<ReadonlyMap<string, number>> => {
        const {text} = await get(`${gateway.urls.admin}/metrics`);
        const pattern = new RegExp(
          `^query_gateway_tee_compared_total\\{.*capability="(.*?)",result="${result}"\\} (\\d+)`,
        );
        const found = text.split('\n').flatMap(line => {
          const [, capability = '', count] = pattern.exec(line) ?? [];
          return count === undefined ? [] : [[capability, Number(count)] as const];
        });
        return new Map(found);
      };
      for (const request of ALL_REQUESTS) await send(gateway, request);
      // Lists are kept while nothing changes, so there are few of them; those may have been skipped.
      for (let n = 1; !(await counts('equal')).has('metadata.query.v1'); n++) {
        const window = {start: `${n * 60}`, end: `${n * 120}`};
        await get(`${gateway.urls.metrics}/api/v1/series`, {'match[]': "service_traffic{layer='GENERAL'}", ...window});
      }
      const {storage} = (await get(`${gateway.urls.admin}/-/plugins`)).json<{storage: {differences: object[]}}>();
      const equal = await counts('equal');
      t.log([...equal], 'equal', [...(await counts('skipped'))], 'skipped');
      t.deepEqual(storage.differences, []);
      t.deepEqual([...(await counts('differs'))], []);
      t.deepEqual([...(await counts('error'))], []);
      for (const capability of OF_METRICS) t.true((equal.get(capability) ?? 0) > 0, capability);
    });
  });
}
