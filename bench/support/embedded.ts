import {join} from 'node:path';
import type {Call, Logger, Meter, MetricReader, MetricWriter, Readers} from '../../core/api/adapter.js';
import {EmbeddedStorage} from '../../storage-adapters/embedded/storage.js';
import {type DatasetShape, minuteBatches} from './dataset.js';

export const silent: Logger = {debug() {}, info() {}, warn() {}, error() {}};
const nothing = {add() {}, set() {}, observe() {}};
export const unmetered: Meter = {
  counter: () => ({with: () => nothing}),
  gauge: () => ({with: () => nothing}),
  histogram: () => ({with: () => nothing}),
};

export const call: Call = {signal: new AbortController().signal, log: silent};

/** The embedded adapter itself, without a gateway around it, on the folder that `startGateway` uses. */
export async function openEmbedded(folder: string): Promise<{adapter: EmbeddedStorage; readers: Readers}> {
  const adapter = new EmbeddedStorage({
    config: {path: join(folder, 'embedded'), durability: 'process', memory: 128 << 20},
    log: silent,
    meter: unmetered,
  });
  return {adapter, readers: await adapter.start(call.signal)};
}

export function writerOf(readers: Readers): MetricWriter {
  const writer = readers['ingest.metrics.v1'];
  if (writer === undefined) throw new Error('the adapter supplies no ingest.metrics.v1');
  return writer;
}

export function readerOf(readers: Readers): MetricReader {
  const reader = readers['metrics.query.v1'];
  if (reader === undefined) throw new Error('the adapter supplies no metrics.query.v1');
  return reader;
}

/** Writes the whole data set, two batches under way at a time, and returns samples per second. */
export async function fillEmbedded(folder: string, shape: DatasetShape): Promise<number> {
  const {adapter, readers} = await openEmbedded(folder);
  const writer = writerOf(readers);
  const begun = performance.now();
  let samples = 0;
  let previous: Promise<void> = Promise.resolve();
  for (const batch of minuteBatches(shape)) {
    samples += batch.samples.value.length;
    const current = writer.write(batch, call);
    await previous;
    previous = current;
  }
  await previous;
  const rate = samples / ((performance.now() - begun) / 1000);
  await adapter.stop();
  return rate;
}
