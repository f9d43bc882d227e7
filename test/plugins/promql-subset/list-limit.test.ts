import test from 'ava';
import {ask, type Fields, get} from '../../support/http.js';
import {serveHere} from '../../support/library.js';

const LISTED = 3;
const TIME = {start: '1700000000', end: '1700000100'};
const selector = (layer: string) => ({'match[]': `service_traffic{layer='${layer}'}`, ...TIME});

test('a list that is longer than limits.listNames is cut, whatever its own limit, and warns', async t => {
  const {urls} = await serveHere(t, {
    config: {
      listeners: {metrics: {port: 0}, ingest: {port: 0}},
      storage: {use: 'embedded', config: {path: './data'}},
      plugins: [{use: 'promql-subset'}, {use: 'ingest', enabled: true}],
      limits: {listNames: LISTED},
    },
  });
  const services = ['few-0', 'few-1', 'few-2', 'many-0', 'many-1', 'many-2', 'many-3'];
  const records = services.map(service =>
    JSON.stringify({record: 'entity', scope: 'Service', layer: service.split('-')[0], service, time: 1700000040}),
  );
  await ask(`${urls.ingest}/ingest/v1/metrics`, {method: 'POST', body: records.join('\n')});
  const list = async (path: string, parameters: Fields) =>
    (await get(`${urls.metrics}/api/v1/${path}`, parameters)).json<{data: unknown[]; warnings?: readonly string[]}>();

  const warnings = ['results truncated due to limits.listNames, 3'];
  const limits: readonly Fields[] = [{}, {limit: '0'}, {limit: '100'}];
  for (const limit of limits) {
    for (const path of ['series', 'label/service/values']) {
      const many = await list(path, {...selector('many'), ...limit});
      t.is(many.data.length, LISTED, `${path} ${JSON.stringify(limit)}`);
      t.deepEqual(many.warnings, warnings);
      const few = await list(path, {...selector('few'), ...limit});
      t.is(few.data.length, LISTED);
      t.is(few.warnings, undefined);
    }
  }
  const asked = await list('series', {...selector('many'), limit: '2'});
  t.is(asked.data.length, 2);
  t.is(asked.warnings, undefined);
  t.deepEqual((await list('labels', {limit: '0'})).warnings, warnings);
});
