import {execFile, spawn} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {type Owner, run, scratchFolder} from '../support/gateway.js';
import {get, post} from '../support/http.js';
import {located, testWith} from '../support/programs.js';
import {freePorts} from '../support/servers/ports.js';
import {type PanelQuery, queriesOf, readDashboard, variablesOf} from './grafana.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'deploy/grafana/dashboards');

test('the dashboards are those that their script writes', async t => {
  const folder = await scratchFolder(t);
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/dashboards.mjs'), folder]);
  t.deepEqual(readdirSync(FOLDER).sort(), readdirSync(folder).sort());
  for (const name of readdirSync(folder))
    t.is(readFileSync(join(FOLDER, name), 'utf8'), readFileSync(join(folder, name), 'utf8'));
});

/** A Prometheus that watches a gateway as deploy/prometheus tells it, only more often. */
async function watch(t: Owner, targets: Readonly<Record<string, string>>): Promise<string> {
  const folder = await scratchFolder(t);
  const text = readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yaml'), 'utf8')
    .replace(/\w+: 15s/g, line => line.replace('15s', '1s'))
    .replace('[query-gateway.rules.yaml]', JSON.stringify([join(ROOT, 'deploy/prometheus/query-gateway.rules.yaml')]))
    .replace(/gateway:(\d+)/g, (_, port: string) => new URL(targets[port] ?? '').host);
  const file = join(folder, 'prometheus.yaml');
  await writeFile(file, text);
  const address = `127.0.0.1:${(await freePorts(1))[0]}`;
  const words = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn(located('prometheus'), words, {stdio: 'ignore'});
  t.teardown(() => void child.kill('SIGKILL'));
  return `http://${address}`;
}

interface Answer {
  readonly data: {readonly result: readonly unknown[]};
}

/** Waits until each job has been asked often enough for a rate. */
async function watched(prometheus: string): Promise<void> {
  const query = 'count(count_over_time(up[1m]) >= 4 and up == 1)';
  for (;;) {
    const answer = await get(`${prometheus}/api/v1/query`, {query}).catch(() => undefined);
    const value =
      answer?.status === 200 ? answer.json<{data: {result: {value: [number, string]}[]}}>().data.result[0] : undefined;
    if (value?.value[1] === '2') return;
    await sleep(200);
  }
}

/** The names of the metrics that have samples on a page in the text format. */
async function namesOn(url: string): Promise<ReadonlySet<string>> {
  const {text} = await get(url);
  return new Set([...text.matchAll(/^([a-z_:][\w:]*)[{ ]/gim)].map(([, name = '']) => name));
}

const METRIC = /\b(?:query_gateway|diagnostics|process|nodejs)_\w+/g;

testWith(
  test,
  'prometheus',
  'every query of every dashboard is answered over the demo, and shows what there is',
  async t => {
    const demo = await run(t, {config: {}, args: () => ['demo', '--port-base', '0']});
    const {metrics = '', traces = '', diagnostics = '', admin = ''} = await demo.ready();
    const prometheus = await watch(t, {9464: admin, 17913: diagnostics});
    // Something to show: good queries and bad ones.
    for (const query of [`service_cpm{layer='GENERAL',service='cart'}`, 'rate(x[5m])'])
      await post(`${metrics}/api/v1/query`, {query});
    await watched(prometheus);
    const names = new Set([...(await namesOn(`${admin}/metrics`)), ...(await namesOn(`${diagnostics}/metrics`))]);

    const asked = async (
      name: string,
      url: string,
      isShown: (query: PanelQuery) => boolean,
      typed = {},
    ): Promise<number> => {
      const dashboard = readDashboard(name);
      const queries = queriesOf(dashboard, url, await variablesOf(dashboard, url, typed));
      for (const query of queries) {
        const where = `${name}, ${query.panel}: ${query.text}`;
        const answer = await get(query.url, query.parameters);
        t.is(answer.status, 200, `${where}\n${answer.text}`);
        const {data, traces: found} = answer.json<Partial<Answer> & {traces?: unknown[]}>();
        if (isShown(query)) t.true((data?.result ?? found ?? []).length > 0, where);
      }
      return queries.length;
    };

    const isThere = ({text}: PanelQuery): boolean => (text.match(METRIC) ?? []).every(name => names.has(name));
    t.true((await asked('gateway', prometheus, isThere)) > 30);
    t.true((await asked('diagnostics', prometheus, isThere)) > 8);
    t.true((await asked('services', metrics, () => true)) > 15);
    // What the demo suggests: there are payments that have failed. Its spans are short.
    for (const kind of ['compat', 'native']) {
      t.is(await asked('traces', `${traces}/${kind}`, () => true, {service: 'payment', duration: '1ms'}), 4);
    }

    // The rules are evaluated over the same, and find nothing.
    const {data} = (await get(`${prometheus}/api/v1/rules`)).json<{
      data: {groups: {rules: {name: string; health: string; state: string}[]}[]};
    }>();
    const rules = data.groups.flatMap(({rules: own}) => own);
    t.true(rules.length >= 15);
    t.deepEqual(
      rules.filter(({health}) => health === 'err'),
      [],
    );
    t.deepEqual(
      rules.filter(({state}) => state === 'firing'),
      [],
    );
  },
);
