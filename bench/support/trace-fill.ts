import {mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Readers} from '../../core/api/adapter.js';
import {call, openEmbedded} from './embedded.js';
import {percentiles, timed} from './percentiles.js';
import {type TraceKindName, traceCases} from './trace-cases.js';
import {compatBatches, nativeBatches, SPANS_PER_TRACE, type TraceShape} from './trace-dataset.js';

const BATCHES_UNDER_WAY = 4;

/** Stores the traces of a kind, or takes what an earlier run has left in the folder, with the shape that it wrote down. */
export async function prepareTraces(folder: string, kind: TraceKindName, shape: TraceShape): Promise<TraceShape> {
  const note = join(folder, `${kind}.json`);
  const kept = await readFile(note, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as TraceShape;
  await mkdir(folder, {recursive: true});
  const {adapter, readers} = await openEmbedded(folder);
  await fill(kind, shape, readers);
  const settling = await timed(() => adapter.settle());
  await adapter.stop();
  const {size} = await stat(join(folder, 'embedded', 'gateway.db'));
  process.stdout.write(
    `${(settling / 1000).toFixed(1)} s of merging after it; database: ${Math.round(size / 1e6)} MB\n`,
  );
  await writeFile(note, JSON.stringify(shape));
  return shape;
}

/** The writes of a kind, batch by batch. */
function* writes(kind: TraceKindName, shape: TraceShape, readers: Readers): Generator<() => Promise<void>> {
  if (kind === 'compat') {
    const writer = readers['ingest.compat.v1'];
    for (const batch of compatBatches(shape)) yield async () => writer?.write(batch, call);
  } else {
    const writer = readers['ingest.native.v1'];
    for (const batch of nativeBatches(shape)) yield async () => writer?.write(batch, call);
  }
}

/** Writes everything, some batches under way at a time, while a search runs again and again. */
async function fill(kind: TraceKindName, shape: TraceShape, readers: Readers): Promise<void> {
  let writing = true;
  const searches: number[] = [];
  const selective = traceCases(kind, shape).find(({name}) => name.startsWith('search service'));
  const reading = (async () => {
    for (let i = 0; writing && selective !== undefined; i++) {
      searches.push(await timed(() => selective.direct(readers, i, call)));
      await new Promise(done => setTimeout(done, 10));
    }
  })();
  const begun = performance.now();
  const underWay = new Set<Promise<void>>();
  for (const write of writes(kind, shape, readers)) {
    const one: Promise<void> = write().finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size === BATCHES_UNDER_WAY) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  const count = shape.traces * SPANS_PER_TRACE + shape.large;
  const rate = count / ((performance.now() - begun) / 1000);
  writing = false;
  await reading;
  const {p50, p99} = percentiles(searches);
  process.stdout.write(
    `${kind}: ${count} spans of ${shape.traces} traces × ${SPANS_PER_TRACE} at ${Math.round(rate)} spans/s; ` +
      `a search meanwhile: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
  );
}
