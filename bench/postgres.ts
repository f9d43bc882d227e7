import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import pg from 'pg';
import type {Readers, StorageAdapter} from '../core/api/adapter.js';
import postgres from '../storage-adapters/postgres/adapter.js';
import {makeOwner} from '../test/support/owner.js';
import {startPostgres} from '../test/support/servers/postgres.js';
import {metricCases} from './support/cases.js';
import {type DatasetShape, minuteBatches} from './support/dataset.js';
import {call, silent, unmetered, writerOf} from './support/embedded.js';
import {HttpClient} from './support/http-client.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {type Statement, statementsOf} from './support/statements.js';
import {printTable} from './support/table.js';
import {p50, timesInTurns, warmUp} from './support/times.js';
import {traceCases} from './support/trace-cases.js';
import {compatBatches, type TraceShape} from './support/trace-dataset.js';
import {load} from './support/wrk.js';

export interface PostgresBenchOptions {
  readonly metrics: DatasetShape;
  readonly traces: TraceShape;
  readonly seconds: number;
  /** A server that may keep the data for the next run, in the schema `bench`; otherwise a temporary one. */
  readonly url?: string;
  /** Only cases that have this text in their name. */
  readonly only: string;
  /** Ends after loading. */
  readonly fillOnly: boolean;
}

const SCHEMA = 'bench';
const MINUTES_PER_BATCH = 5;
const SPAN_BATCHES_AT_ONCE = 10;
const CALLERS = 8;
/** Of the requests of a case, those whose statements a client asks too. */
const EVERY = 10;

interface MeasuredCase {
  readonly name: string;
  readonly paths: readonly string[];
  readonly direct: (readers: Readers, index: number) => Promise<unknown>;
  readonly listener: 'metrics' | 'traces';
  readonly headers: Readonly<Record<string, string>>;
}

/** The queries of dashboards over PostgreSQL, through the gateway and as the same statements sent by the client library. */
export async function benchPostgres(options: PostgresBenchOptions): Promise<void> {
  const {owner, end} = makeOwner();
  try {
    const url = options.url ?? (await startPostgres(owner, {durable: true, settings: {shared_buffers: '1GB'}})).url();
    const shapes = await prepare(url, options);
    if (options.fillOnly) return;
    const cases: MeasuredCase[] = [
      ...metricCases(shapes.metrics).map(({name, gateway, direct}) => ({
        name,
        paths: gateway,
        direct: (readers: Readers, index: number) => direct(readers, index, call),
        listener: 'metrics' as const,
        headers: {},
      })),
      ...traceCases('compat', shapes.traces).map(({name, gateway, direct, headers = {}}) => ({
        name,
        paths: gateway.map(path => `/compat${path}`),
        direct: (readers: Readers, index: number) => direct(readers, index, call),
        listener: 'traces' as const,
        headers,
      })),
    ];
    const asked = cases.filter(({name}) => name.includes(options.only));
    await measure(url, asked, options.seconds);
  } finally {
    await end();
  }
}

/** The adapter itself, without a gateway around it. */
export async function openPostgres(url: string): Promise<{adapter: StorageAdapter; readers: Readers}> {
  const config = {
    url,
    schema: SCHEMA,
    createSchema: true,
    connections: 10,
    connectTimeout: 5000,
    writeTimeout: 600_000,
  };
  const adapter = postgres.create({config, log: silent, meter: unmetered});
  return {adapter, readers: await adapter.start(call.signal)};
}

type Shapes = Pick<PostgresBenchOptions, 'metrics' | 'traces'>;

/** Fills the schema, or takes what an earlier run has left, with the shapes that it wrote down as its comment. */
async function prepare(url: string, {metrics, traces}: Shapes): Promise<Shapes> {
  const [kept] = await ask(url, `SELECT obj_description(to_regnamespace('${SCHEMA}'), 'pg_namespace') AS note`);
  if (typeof kept?.note === 'string') return JSON.parse(kept.note) as Shapes;
  const {adapter, readers} = await openPostgres(url);
  const writer = writerOf(readers);
  let begun = performance.now();
  let count = 0;
  const rate = (): number => Math.round(count / ((performance.now() - begun) / 1000));
  for (const batch of minuteBatches(metrics, MINUTES_PER_BATCH)) {
    await writer.write(batch, call);
    count += batch.samples.value.length;
  }
  process.stdout.write(`${count} samples at ${rate()} samples/s\n`);
  begun = performance.now();
  count = 0;
  let waiting: Promise<void>[] = [];
  for (const batch of compatBatches(traces)) {
    waiting.push(readers['ingest.compat.v1']?.write(batch, call) ?? Promise.resolve());
    count += batch.length;
    if (waiting.length < SPAN_BATCHES_AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  process.stdout.write(`${count} spans at ${rate()} spans/s\n`);
  await adapter.stop();
  // As the server does by itself after a while.
  await ask(url, 'VACUUM ANALYZE');
  const sizes = await ask(
    url,
    `SELECT CASE WHEN relname LIKE 'spans%' THEN 'spans' WHEN relname LIKE 'minutes%' THEN 'minutes' ELSE 'the rest' END AS part,
       round(sum(pg_total_relation_size(oid)) / 1e6)::int AS megabytes
     FROM pg_class WHERE relnamespace = '${SCHEMA}'::regnamespace AND relkind = 'r' GROUP BY 1 ORDER BY 1`,
  );
  process.stdout.write(`${sizes.map(({part, megabytes}) => `${part}: ${megabytes} MB`).join(', ')}\n`);
  await ask(url, `COMMENT ON SCHEMA ${SCHEMA} IS '${JSON.stringify({metrics, traces})}'`);
  return {metrics, traces};
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({connectionString: url});
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function measure(url: string, cases: readonly MeasuredCase[], seconds: number): Promise<void> {
  const recorded = await record(url, cases);
  const rows: (string | number)[][] = [];
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  const gateway = await startGateway(url, folder);
  const http = new HttpClient();
  const client = new pg.Client({connectionString: url, options: `-c search_path=${SCHEMA}`});
  await client.connect();
  try {
    const questions = cases.map(({listener, paths, headers}, i) => {
      const variants = recorded[i] ?? [];
      const urls = paths.filter((_, at) => at % EVERY === 0).map(path => gateway[listener] + path);
      return {
        variants,
        direct: (at: number) => askAll(client, variants[at % variants.length] ?? []),
        through: (at: number) => http.get(urls[at % urls.length] ?? '', headers),
      };
    });
    await warmUp(questions.flatMap(({direct, through}) => [direct, through]));
    for (const [i, {name, paths, listener, headers}] of cases.entries()) {
      const {variants, direct, through} = questions[i] as (typeof questions)[number];
      const [one, whole] = (await timesInTurns(seconds * 2, direct, through)).map(p50) as [number, number];
      const many = await replay(url, variants, seconds);
      await load(gateway[listener], paths, {connections: CALLERS, seconds: 1, headers});
      const loaded = await load(gateway[listener], paths, {connections: CALLERS, seconds, headers});
      const counts = [one, whole, whole - one, whole / one, many, loaded.p50, loaded.p50 / many];
      rows.push([name, variants[0]?.length ?? 0, ...counts]);
    }
  } finally {
    await client.end();
    await http.close();
    await gateway.stop();
    await rm(folder, {recursive: true, force: true});
  }
  const columns = ['direct', 'gateway', 'added', 'ratio', `direct, ${CALLERS} callers`, 'gateway', 'ratio'];
  printTable(['p50, ms', 'statements', ...columns], rows);
}

/** The statements of each variant of each case, as the adapter sends them. */
async function record(url: string, cases: readonly MeasuredCase[]) {
  const {adapter, readers} = await openPostgres(url);
  const recorded: (readonly Statement[])[][] = [];
  for (const {direct, paths} of cases) {
    const variants: (readonly Statement[])[] = [];
    await direct(readers, 0);
    for (let i = 0; i < paths.length; i += EVERY) {
      variants.push(await statementsOf(() => direct(readers, i)));
    }
    recorded.push(variants);
  }
  await adapter.stop();
  return recorded;
}

/** The median time, in milliseconds, in which the client library gets the rows of all statements of a variant. */
async function replay(url: string, variants: readonly (readonly Statement[])[], seconds: number): Promise<number> {
  const pool = new pg.Pool({connectionString: url, max: CALLERS, options: `-c search_path=${SCHEMA}`});
  const times: number[] = [];
  const run = async (until: number, note: boolean, caller: number): Promise<void> => {
    for (let i = caller; performance.now() < until; i++) {
      const begun = performance.now();
      await askAll(pool, variants[i % variants.length] ?? []);
      if (note) times.push(performance.now() - begun);
    }
  };
  const all = (end: number, note: boolean) =>
    Promise.all(Array.from({length: CALLERS}, (_, caller) => run(end, note, caller)));
  await all(performance.now() + seconds * 200, false);
  await all(performance.now() + seconds * 500, true);
  await pool.end();
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** The client library decodes the rows. */
async function askAll(client: pg.Client | pg.Pool, statements: readonly Statement[]): Promise<void> {
  for (const {text, values} of statements) await client.query({text, values: [...values], rowMode: 'array'});
}

async function startGateway(url: string, folder: string) {
  const listener = {host: '127.0.0.1', port: 0};
  const config = {
    listeners: {metrics: listener, traces: listener},
    storage: {use: 'postgres', config: {url, schema: SCHEMA}},
    plugins: [
      {use: 'promql-subset', listener: 'metrics'},
      {use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'},
    ],
  };
  const file = join(folder, 'gateway.config.json');
  await writeFile(file, JSON.stringify(config));
  const child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'serve', '--config', file], folder);
  const ready = await readyLine<{listeners: {metrics: string; traces: string}}>(child);
  return {...ready.listeners, stop: () => child.stop()};
}
