import {mkdtemp, readdir, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Call, OtlpSpan, OtlpTraceReader} from '../core/api/plugin.js';
import {silentLog, silentMeter} from '../storage-adapters/conformance/call.js';
import {EmbeddedStorage} from '../storage-adapters/embedded/storage.js';
import {benchSpans} from './support/otlp-spans.js';
import {percentiles} from './support/percentiles.js';
import {printTable} from './support/table.js';

const TRACES = 20_000;
const SPANS_PER_TRACE = 10;
const ROUNDS = 5;
/** Questions of one kind in a round. */
const QUESTIONS = 400;
/** Microseconds. */
const HOUR = 3_600_000_000;

const call: Call = {signal: new AbortController().signal, log: silentLog};

interface Side {
  readonly name: string;
  readonly storage: EmbeddedStorage;
  readonly reader: OtlpTraceReader;
}

type Ask = (reader: OtlpTraceReader, number: number) => Promise<unknown>;

/**
 * How long it takes to read packed traces, beside the same traces that are not packed: in turns, one question at a time; and what
 * they take on the disk.
 */
export async function benchPacks(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  const spans = Array.from({length: TRACES}, (_, at) => benchSpans(at, SPANS_PER_TRACE, Date.now() - (TRACES - at)));
  const sides: Side[] = [];
  try {
    sides.push(await filled('unpacked', folder, spans, Number.POSITIVE_INFINITY));
    sides.push(await filled('packed', folder, spans, 1));
    const rows: (string | number)[][] = [];
    for (const [question, ask] of questions(spans)) {
      const times = new Map<Side, number[]>(sides.map(side => [side, []]));
      for (let round = 0; round < ROUNDS; round++) {
        for (const side of sides) {
          for (let at = 0; at < QUESTIONS; at++) {
            const begun = performance.now();
            await ask(side.reader, round * QUESTIONS + at);
            times.get(side)?.push(performance.now() - begun);
          }
        }
      }
      for (const [{name}, of] of times) {
        const {p50, p99} = percentiles(of);
        rows.push([question, name, p50, p99]);
      }
    }
    printTable(['ms', 'traces', 'p50', 'p99'], rows);
    for (const {name, storage} of sides) {
      await storage.stop();
      const bytes = Math.round((await sizeOf(join(folder, name))) / (TRACES * SPANS_PER_TRACE));
      process.stdout.write(`${name}: ${bytes} bytes a span on the disk, with the index\n`);
    }
  } finally {
    for (const {storage} of sides) await storage.stop();
    await rm(folder, {recursive: true, force: true});
  }
}

async function filled(
  name: string,
  folder: string,
  spans: readonly (readonly OtlpSpan[])[],
  packFrom: number,
): Promise<Side> {
  const config = {path: join(folder, name), durability: 'process', memory: 16 * 2 ** 20} as const;
  const storage = new EmbeddedStorage({config, log: silentLog, meter: silentMeter}, {packFrom});
  const readers = await storage.start(call.signal);
  const [writer, reader] = [readers['ingest.otlp.v1'], readers['traces.otlp.v1']];
  if (writer === undefined || reader === undefined) throw new Error('the embedded storage has no traces of OTLP');
  for (let from = 0; from < spans.length; from += 200) await writer.write(spans.slice(from, from + 200).flat(), call);
  await storage.settle();
  return {name, storage, reader};
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, {recursive: true});
  const sizes = await Promise.all(files.map(async file => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function questions(spans: readonly (readonly OtlpSpan[])[]): readonly (readonly [string, Ask])[] {
  const now = Date.now() * 1000;
  const window = {from: now - HOUR, to: now + HOUR};
  const any = (number: number): number => (number * 7919) % spans.length;
  return [
    ['trace of 10 spans by id', (reader, number) => reader.trace(spans[any(number)]?.[0]?.traceId ?? '', call)],
    [
      'search by service and tag, 20 traces',
      async (reader, number) => {
        const filter = [
          {on: 'service', value: `service-${any(number) % 200}`},
          {on: 'tag', key: 'http.response.status_code', value: '500'},
        ] as const;
        let found = 0;
        for await (const _ of reader.search({filter, ...window}, call)) if (++found === 20) break;
        if (found < 20) throw new Error(`a search found ${found} traces`);
      },
    ],
  ];
}
