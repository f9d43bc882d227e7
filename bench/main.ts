import {cpus, totalmem} from 'node:os';
import {parseArgs} from 'node:util';
import {benchAccess} from './access.js';
import {benchBanyanDB} from './banyandb.js';
import {benchClickHouse, sizeOf} from './clickhouse.js';
import {benchCopy} from './copy.js';
import {benchDiagnostics} from './diagnostics.js';
import {benchDiagnosticsAgent} from './diagnostics-agent.js';
import {benchIngest} from './ingest.js';
import {benchMixed} from './mixed.js';
import {benchNewSeries} from './new-series.js';
import {benchOtlpIngest} from './otlp-ingest.js';
import {benchOverload} from './overload.js';
import {benchPacks} from './packs.js';
import {benchPostgres} from './postgres.js';
import {benchQueries} from './queries.js';
import {benchRankings} from './rankings.js';
import {soakDiagnostics} from './soak-diagnostics.js';
import type {DatasetShape} from './support/dataset.js';
import {TRACE_KINDS, type TraceKindName} from './support/trace-cases.js';
import {benchTee} from './tee.js';
import {benchTraceIngest} from './trace-ingest.js';
import {benchTraces} from './traces.js';
import {benchWorkers} from './workers.js';

/**
 * `npm run bench [-- [queries] [ingest] [new-series] [traces] [trace-ingest] [diagnostics] [diagnostics-agent] [--small] [--seconds N]
 * [--data FOLDER] [--kind compat|native] [--case TEXT]]`: prints ratios that were measured side by side in this run. Needs
 * `wrk` and `prometheus`. `--small` takes a tenth of the services, traces and agents; `--data` keeps what was stored for
 * the next run; `--kind` and `--case` take a part of the traces, and of their cases those that have the text in their name.
 *
 * `npm run bench -- postgres [--small] [--url postgres://…] [--fill] [--case TEXT]` compares the gateway over PostgreSQL with its client
 * library. With `--url` the server keeps the data; `--fill` ends after loading it.
 *
 * `npm run bench -- clickhouse [--samples 1,10,100] [--spans N] [--fill]` needs `clickhouse-server`, and takes that many million
 * samples, each with N million spans of both kinds, or a fifth as many spans as samples. Of what is more than a day of samples and a million spans of a kind, the
 * server makes copies at other times.
 *
 * `npm run bench -- banyandb` compares the gateway over BanyanDB with the calls that it makes, sent directly to the server of
 * the tests.
 *
 * `npm run bench -- rankings [--seconds N] [--case postgres]` has 1,000 entities ranked by each adapter alone whose server is installed.
 *
 * `npm run bench -- access [--seconds N]` asks the same queries with and without TLS and credentials; needs `openssl`.
 *
 * `npm run bench -- workers [--seconds N]` asks one process and two over PostgreSQL, by the processor time of all of them.
 *
 * `npm run bench -- tee [--seconds N]` asks an embedded storage alone and as the primary of a tee whose secondary is well, slow and gone.
 *
 * `npm run bench -- copy [--small] [--data FOLDER [--fill]] [--kills N]` copies an embedded storage into another one; with `--kills` one copy
 * that is killed N times, whatever its speed.
 *
 * `npm run bench -- overload [--small] [--seconds N]` lets clients ask for more than there is, and leave without waiting.
 *
 * `npm run bench -- mixed [--small] [--seconds N] [--case TEXT]` asks a small query beside each kind of heavy request.
 *
 * `npm run bench -- otlp-ingest [--seconds N] [--other FOLDER]…` sends spans of OTLP over HTTP as fast as they are taken by a
 * gateway on one core, alone and beside searches; each other folder has a build to compare with. Needs `taskset`.
 *
 * `npm run bench -- packs` reads traces of the embedded storage that are packed, beside the same ones that are not.
 *
 * `npm run bench -- soak [--minutes N]` runs the diagnostics proxy among agents that come and go, and fails when anything of
 * it grows.
 */
const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    small: {type: 'boolean', default: false},
    seconds: {type: 'string', default: '5'},
    data: {type: 'string'},
    kind: {type: 'string'},
    case: {type: 'string', default: ''},
    minutes: {type: 'string', default: '10'},
    url: {type: 'string'},
    fill: {type: 'boolean', default: false},
    samples: {type: 'string', default: '1,10'},
    kills: {type: 'string', default: '0'},
    spans: {type: 'string'},
    other: {type: 'string', multiple: true, default: []},
  },
});
const HOUR = 3600;
const minutes = 1440;
const shape: DatasetShape = {
  services: values.small ? 20 : 200,
  instances: 10,
  minutes,
  start: Math.floor(Date.now() / 1000 / HOUR) * HOUR - minutes * 60,
};
const seconds = Number(values.seconds);
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

const [cpu] = cpus();
process.stdout.write(
  `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n` +
    `${shape.services} services × ${shape.instances} instances × 7 series × ${minutes} minutes\n\n`,
);
if (wanted('queries'))
  await benchQueries({shape, seconds, ...(values.data === undefined ? {} : {folder: values.data})});
if (wanted('ingest')) await benchIngest({...shape, services: Math.max(20, shape.services / 4)}, seconds * 4);
if (wanted('new-series')) await benchNewSeries();
const hours = 24;
const traces = {
  traces: values.small ? 20_000 : 200_000,
  services: 200,
  start: (Math.floor(Date.now() / 3_600_000) - hours) * 3_600_000,
  hours,
  large: 10_000,
};
if (wanted('traces') || wanted('trace-ingest')) {
  const options = {
    shape: traces,
    kinds: values.kind === undefined ? TRACE_KINDS : [values.kind as TraceKindName],
    cases: values.case,
    seconds,
    ...(values.data === undefined ? {} : {folder: values.data}),
  };
  if (wanted('traces')) await benchTraces(options);
  if (wanted('trace-ingest')) await benchTraceIngest(options);
}
if (positionals.includes('banyandb')) await benchBanyanDB(seconds);
if (positionals.includes('postgres')) {
  const server = values.url === undefined ? {} : {url: values.url};
  await benchPostgres({metrics: shape, traces, seconds, only: values.case, fillOnly: values.fill, ...server});
}
if (wanted('diagnostics-agent')) await benchDiagnosticsAgent();
if (wanted('diagnostics')) await benchDiagnostics({agents: values.small ? 100 : 1000, series: 500});
if (positionals.includes('clickhouse')) {
  await benchClickHouse({
    sizes: values.samples
      .split(',')
      .map(millions => sizeOf(Number(millions), values.spans === undefined ? undefined : Number(values.spans))),
    cases: values.case,
    seconds,
    fillOnly: values.fill,
    ...(values.data === undefined ? {} : {folder: values.data}),
  });
}
if (positionals.includes('rankings')) await benchRankings(seconds, values.case);
if (positionals.includes('access'))
  await benchAccess({...shape, services: 20, minutes: 180, start: shape.start + (minutes - 180) * 60}, seconds);
if (positionals.includes('tee'))
  await benchTee({...shape, services: 20, minutes: 180, start: shape.start + (minutes - 180) * 60}, seconds);
if (positionals.includes('copy')) {
  const folder = values.data === undefined ? {} : {folder: values.data};
  const half = {...traces, traces: traces.traces / 2};
  await benchCopy({metrics: shape, traces: half, fillOnly: values.fill, kills: Number(values.kills), ...folder});
}
if (positionals.includes('workers')) await benchWorkers(seconds);
if (positionals.includes('overload'))
  await benchOverload({...shape, minutes: 180, start: shape.start + (minutes - 180) * 60}, seconds);
if (positionals.includes('mixed')) {
  const services = values.small ? 100 : 1000;
  const recent = {...shape, services, minutes: 31, start: shape.start + (minutes - 31) * 60};
  const some = {...traces, traces: values.small ? 500 : 5000};
  await benchMixed({metrics: recent, traces: some, agents: values.small ? 100 : 1000}, seconds, values.case);
}
if (positionals.includes('otlp-ingest')) await benchOtlpIngest(seconds, values.other);
if (positionals.includes('packs')) await benchPacks();
if (positionals.includes('soak')) await soakDiagnostics(Number(values.minutes));
