import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {CLI, runNode, scratchFolder, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {freePorts} from '../../support/servers/ports.js';
import {PLUGINS, recorded, rehearse, store} from './scene.js';
import {metricLines, range} from './scene-data.js';

test.serial(
  'what is too young is not asked for, unless it is wanted; what was recorded long ago can be asked as of now',
  async t => {
    const own = await scratchFolder(t);
    const minute = Math.floor(Date.now() / 60_000) * 60;
    const lines = (last: number): string => {
      const records = [
        {record: 'metric', name: 'cpm', scope: 'Service', kind: 'common'},
        ...Array.from({length: 60}, (_, i) => ({
          record: 'sample',
          metric: 'cpm',
          layer: 'GENERAL',
          service: 'songs',
          time: minute - 60 * i,
          // The newest minute is still being written, and of half an hour ago one is another.
          value: i === 0 ? last : i === 30 ? last : i,
        })),
      ];
      return records.map(record => JSON.stringify(record)).join('\n');
    };
    await store(own, 'old', {'m.ndjson': lines(1)});
    await store(own, 'new', {'m.ndjson': lines(2)});
    const query = "cpm{layer='GENERAL',service='songs'}";
    const askOnce = async (line: string, ...words: readonly string[]) => {
      await writeFile(join(own, 'one.ndjson'), line);
      const {code, report} = await rehearse(own, '--traffic', 'one.ndjson', ...words);
      const [[name] = []] = Object.entries(report.counts).filter(([, count]) => count > 0);
      return [code, name, report.exemptions.map(({what}) => what.split(':')[0])];
    };
    const now = new Date().toISOString();
    const young = recorded(
      'promql-subset',
      '/api/v1/query_range',
      {query, start: String(minute - 600), end: String(minute + 59)},
      now,
    );
    t.deepEqual(await askOnce(young), [0, 'equal', ['--skip-recent']]);
    t.deepEqual(await askOnce(young, '--skip-recent', '0s'), [1, 'differs', []]);
    const then = new Date(Date.now() - 500 * 86_400_000);
    const [end, start] = [then.getTime() / 1000, then.getTime() / 1000 - 3000].map(time => String(Math.floor(time)));
    const ancient = recorded(
      'promql-subset',
      '/api/v1/query_range',
      {query, start: start ?? '', end: end ?? ''},
      then.toISOString(),
    );
    t.deepEqual(await askOnce(ancient), [0, 'equal', []]);
    t.deepEqual((await askOnce(ancient, '--shift')).slice(0, 2), [1, 'differs']);
  },
);

test.serial(
  'a folder that a gateway has open is asked through its admin listener, and without one the command says so',
  async t => {
    const own = await scratchFolder(t);
    const listeners = {metrics: {port: 0}, traces: {port: 0}, ingest: {port: 0}};
    const config = async (name: string, more: object) =>
      writeFile(
        join(own, `${name}.json`),
        JSON.stringify({
          storage: {use: 'embedded', config: {path: `./${name}`}},
          plugins: PLUGINS,
          logLevel: 'error',
          ...more,
        }),
      );
    const [port] = await freePorts(1);
    const admin = {port, host: '127.0.0.1'};
    await config('old', {listeners: {...listeners, admin}});
    await config('new', {});
    const gateway = await startGateway(t, {
      folder: own,
      config: JSON.parse(await readFile(join(own, 'old.json'), 'utf8')),
    });
    const body = metricLines(['same']);
    t.is((await ask(`${gateway.urls.ingest}/ingest/v1/metrics`, {method: 'POST', body})).status, 202);
    await writeFile(join(own, 'm.ndjson'), body);
    t.is(await runNode(t, [CLI, 'load', '--config', 'new.json', 'm.ndjson'], own).exit, 0);
    await writeFile(join(own, 'one.ndjson'), recorded('promql-subset', '/api/v1/query_range', range('same')));
    const {code, report, stderr} = await rehearse(own, '--traffic', 'one.ndjson');
    t.is(code, 0, stderr);
    t.like(report.counts, {equal: 1});
    await config('old', {listeners});
    const words = ['rehearse', '--old', 'old.json', '--new', 'new.json', '--traffic', 'one.ndjson'];
    const refused = runNode(t, [CLI, ...words], own);
    t.is(await refused.exit, 1);
    t.regex(refused.stderr.join('\n'), /^--old: .*held by process.*admin/);
  },
);
