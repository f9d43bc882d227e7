import type {Readers} from '../../core/api/adapter.js';
import type {ClickHouseServer} from '../../test/support/servers/clickhouse.js';
import {copyDays, copyTraces} from './clickhouse-copies.js';
import {allSeries, type DatasetShape, minuteBatches} from './dataset.js';
import {call, writerOf} from './embedded.js';
import {inTurn} from './times.js';
import {compatBatches, nativeBatches, SPANS_PER_TRACE, type TraceShape} from './trace-dataset.js';

const MINUTES_PER_BATCH = 20;
const METRIC_BATCHES_UNDER_WAY = 2;
const TRACE_BATCHES_UNDER_WAY = 32;
const DAY = 1440;
/** What is written span by span; beyond it the server copies. */
const MOST_WRITTEN_TRACES = 100_000;

/** A latest day of samples is written, days before it are copies of that one. Entities are seen from the first minute on. */
export async function fillSamples(server: ClickHouseServer, readers: Readers, shape: DatasetShape): Promise<void> {
  const written = {...shape, minutes: Math.min(shape.minutes, DAY)};
  written.start += (shape.minutes - written.minutes) * 60;
  const writer = writerOf(readers);
  await timed('samples written', () =>
    inTurn(minuteBatches(written, MINUTES_PER_BATCH), METRIC_BATCHES_UNDER_WAY, batch =>
      writer.write(batch, call).then(() => batch.samples.value.length),
    ),
  );
  if (written.minutes === shape.minutes) return;
  const sightings = allSeries(shape).map(
    ({entity}) => ({scope: 'ServiceInstance', entity, time: shape.start}) as const,
  );
  const none = {series: [], index: new Uint32Array(), time: new Float64Array(), value: new Float64Array()};
  await writer.write({metrics: [], sightings, samples: none, records: []}, call);
  await timed('samples copied', () => copyDays(server, shape, written));
}

/** Traces of both kinds, and what of them was written by the gateway: copies have other ids, but lie in the same time. */
export async function fillTraces(server: ClickHouseServer, readers: Readers, shape: TraceShape): Promise<TraceShape> {
  const copies = Math.ceil(shape.traces / MOST_WRITTEN_TRACES);
  const written = {...shape, traces: Math.floor(shape.traces / copies)};
  const [spans, segments] = [readers['ingest.compat.v1'], readers['ingest.native.v1']];
  if (spans === undefined || segments === undefined) throw new Error('the adapter takes no traces');
  await timed('compat spans written', () =>
    inTurn(compatBatches(written), TRACE_BATCHES_UNDER_WAY, batch => spans.write(batch, call).then(() => batch.length)),
  );
  await timed('native spans written', () =>
    inTurn(nativeBatches(written), TRACE_BATCHES_UNDER_WAY, batch =>
      segments.write(batch, call).then(() => batch.length),
    ),
  );
  if (copies === 1) return written;
  const copied = (['compat', 'native'] as const).map(kind =>
    timed(`${kind} spans copied`, async () => {
      await copyTraces(server, kind, written, copies);
      return (copies - 1) * written.traces * SPANS_PER_TRACE;
    }),
  );
  await Promise.all(copied);
  return written;
}

async function timed(what: string, work: () => Promise<number>): Promise<void> {
  const begun = performance.now();
  const count = await work();
  const seconds = (performance.now() - begun) / 1000;
  process.stdout.write(`  ${count} ${what} in ${Math.round(seconds)} s, ${Math.round(count / seconds)} a second\n`);
}
