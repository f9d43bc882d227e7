import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import type {Logger, MetricExport} from '../../../core/api/adapter.js';
import {builtins} from '../../../core/cli/builtins.js';
import {withStorage} from '../../../core/cli/with-storage.js';
import {loadConfig} from '../../../core/config/load.js';
import {configFile, copy, embedded, gatewayOver, sendTo} from './copying.js';
import {COPIED, DECLARATION, line, otlp, otlpBody, START, segment, smallSources, span} from './small-source.js';

const KEPT = 1_704_067_200;

const silence = (): void => undefined;
const silent: Logger = {debug: silence, info: silence, warn: silence, error: silence};

const smallSource = smallSources(test);

const WINDOWS: readonly {readonly flags: readonly string[]; readonly says: string}[] = [
  {flags: [], says: 'copied 10 samples, 10 compat spans, 10 segments, 10 native spans, 10 OTLP spans'},
  {
    flags: ['--since', `${START + 240}`],
    says: 'copied 6 samples, 6 compat spans, 6 segments, 6 native spans, 6 OTLP spans',
  },
  {
    flags: ['--until', '2023-11-14T22:18:00Z'],
    says: 'copied 4 samples, 4 compat spans, 4 segments, 4 native spans, 4 OTLP spans',
  },
  {
    flags: ['--since', '2023-11-14T23:18:00+01:00', '--until', `${START + 300}`, '--only', 'metrics'],
    says: 'copied 1 sample',
  },
  {
    flags: ['--only', 'otlp, native, compat', '--dry-run'],
    says: 'would copy 10 compat spans, 10 segments, 10 native spans, 10 OTLP spans',
  },
  {flags: ['--since', '4000000000'], says: 'copied nothing'},
];

test('a window and kinds bound what is copied, and a dry run makes nothing', async t => {
  const {folder, from} = await smallSource(t);
  for (const [i, {flags, says}] of WINDOWS.entries()) {
    const to = configFile(folder, `to${i}`, embedded(folder, `to${i}`));
    const {code, stdout} = await copy(t, folder, ['--from', from, '--to', to, ...flags]);
    t.is(code, 0, flags.join(' '));
    t.true(stdout.join('\n').startsWith(says), `${flags.join(' ')}: ${stdout}`);
    t.is(existsSync(join(folder, `to${i}`)), !flags.includes('--dry-run'));
  }
});

/** An hour whose minutes have gone, in the first days of 2024. */
const keptHour = (hour: number, value: number): MetricExport => ({
  metrics: [
    {
      definition: {...DECLARATION, type: 'gauge', help: '', unit: '', rollup: 'avg', valueLabels: []},
      rollups: [],
    },
  ],
  sightings: [],
  samples: {series: [], index: new Uint32Array(), time: new Float64Array(), value: new Float64Array()},
  kept: {
    series: [{metric: 'cpm', entity: {layer: 'GENERAL', service: 'app'}, labels: {}}],
    values: [{series: 0, step: 'hour', time: KEPT + hour * 3600, minutes: 2, terms: [value]}],
  },
  records: [],
});

/** Stores hours in a folder that no gateway has open. */
async function keep(file: string, hours: readonly MetricExport[]): Promise<void> {
  const config = await loadConfig({file}, builtins);
  await withStorage(config, async (readers, signal) => {
    for (const page of hours) await readers['ingest.history.v1']?.write(page, {signal, log: silent});
  });
}

test('verifying finds what the target has lost or changed, names it, and counts what it has beyond', async t => {
  const {folder, from, to} = await smallSource(t);
  await keep(from, [keptHour(0, 10), keptHour(1, 1)]);
  const words = ['--from', from, '--to', to];
  t.is((await copy(t, folder, words)).code, 0);
  const clean = await copy(t, folder, [...words, '--verify']);
  t.deepEqual([clean.code, clean.stderr], [0, []]);
  // The declaration, first and last sight, the samples; and hours with a day, also of the samples, which are older than what was kept.
  t.deepEqual(clean.stdout, [
    'metrics: 17 equal',
    'compat traces: 10 equal',
    'native traces: 10 equal',
    'traces of OTLP: 10 equal',
  ]);

  await keep(from, [keptHour(2, 5)]);
  await keep(to, [keptHour(9, 5)]);
  const [old, fresh] = [await gatewayOver(t, embedded(folder, 'old')), await gatewayOver(t, embedded(folder, 'new'))];
  // In an hour that has not begun: of one that is over, hours and days come to be while a gateway runs for long enough.
  const later = (Math.floor(Date.now() / 3_600_000) + 1) * 3600 + 60;
  const sample = (service: string, time: number, value: number) =>
    line({record: 'sample', metric: 'cpm', layer: 'GENERAL', service, time, value});
  await sendTo(
    old,
    '/ingest/v1/metrics',
    sample('app', later, 1) + sample('app', later + 60, 1) + sample('lost', later, 1),
  );
  await sendTo(fresh, '/ingest/v1/metrics', sample('app', later, 2) + sample('app', later + 120, 1));
  await sendTo(old, '/api/v2/spans', JSON.stringify([span(77, START), {...span(1, START), name: 'put'}]));
  await sendTo(fresh, '/api/v2/spans', JSON.stringify([span(78, START)]));
  await sendTo(old, '/v3/segments', JSON.stringify([segment('lost', START), {...segment('t0', START), service: 'b'}]));
  await sendTo(old, '/v1/traces', otlpBody([otlp(77, START), otlp(1, START, 'put')]));
  await sendTo(fresh, '/v1/traces', otlpBody([otlp(78, START)]));
  await Promise.all([old.stop(), fresh.stop()]);

  const {code, stdout, stderr} = await copy(t, folder, [...words, '--verify']);
  t.is(code, 1);
  t.deepEqual(stdout, [
    'metrics: 17 equal, 5 missing, 1 differs, 1 more in the target',
    'compat traces: 9 equal, 1 missing, 1 differs, 1 more in the target',
    'native traces: 9 equal, 1 missing, 1 differs',
    'traces of OTLP: 9 equal, 1 missing, 1 differs, 1 more in the target',
  ]);
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  t.deepEqual([...stderr].sort(), [
    'compat traces: the span 1111111111111111 of the trace 0000000000000001 differs',
    'compat traces: the span 1111111111111111 of the trace 000000000000004d is missing',
    `metrics: the first sight of "GENERAL" "lost" at ${time(later)} is missing`,
    `metrics: the hour of cpm of "GENERAL" "app" at ${time(KEPT + 2 * 3600)} is missing`,
    `metrics: the last sight of "GENERAL" "lost" at ${time(later)} is missing`,
    `metrics: the sample of cpm of "GENERAL" "app" at ${time(later)} differs`,
    `metrics: the sample of cpm of "GENERAL" "app" at ${time(later + 60)} is missing`,
    `metrics: the sample of cpm of "GENERAL" "lost" at ${time(later)} is missing`,
    'native traces: the segment lost.0 of the trace lost is missing',
    'native traces: the segment t0.0 of the trace t0 differs',
    'traces of OTLP: the span 1111111111111111 of the trace 00000000000000000000000000000001 differs',
    'traces of OTLP: the span 1111111111111111 of the trace 0000000000000000000000000000004d is missing',
  ]);
});

const TOKEN = 'of-somebody-with-the-right-admin';

test('a folder that a running gateway holds is copied from and into by that gateway, while it serves', async t => {
  const {folder} = await smallSource(t);
  const access = {
    tokens: [{name: 'ops', sha256: createHash('sha256').update(TOKEN).digest('hex'), rights: ['admin']}],
  };
  const held = async (name: string): Promise<string> => {
    const listeners = {admin: {port: 0}};
    const {urls} = await gatewayOver(t, embedded(folder, name), {access, listeners, plugins: []});
    const port = Number(new URL(urls.admin ?? '').port);
    return configFile(folder, name, embedded(folder, name), {access, listeners: {admin: {port}}});
  };
  const words = ['--from', await held('old'), '--to', await held('new')];
  const refused = await copy(t, folder, words);
  t.is(refused.code, 1);
  t.regex(refused.stderr.join(), /held by process \d+.* answers 401.*expected in QUERY_GATEWAY_TOKEN/);
  const {code, stdout} = await copy(t, folder, words, {QUERY_GATEWAY_TOKEN: TOKEN});
  t.is(code, 0);
  t.regex(stdout.join(), COPIED(10));
});
