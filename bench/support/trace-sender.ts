import type {CompatSpan} from '../../core/api/adapter.js';
import type {TraceKindName} from './trace-cases.js';
import {compatBatches, nativeBatches, SPANS_PER_TRACE, type TraceShape} from './trace-dataset.js';

/** At which spans are sent. */
export const SPANS_PER_SECOND = 20_000;
/** As many reporters send at once. */
const REPORTERS = 4;
export const INGEST_PATHS: Readonly<Record<TraceKindName, string>> = {compat: '/api/v2/spans', native: '/v3/segments'};

export interface Body {
  readonly spans: number;
  readonly bytes: Buffer;
}

/** Bodies with at least so many spans: traces of the next day, the same in each run. */
export function* bodies(kind: TraceKindName, shape: TraceShape, spans: number): Generator<Body> {
  const start = shape.start + shape.hours * 3_600_000;
  const next = {...shape, first: shape.traces + 1, traces: Math.ceil(spans / SPANS_PER_TRACE), start};
  if (kind === 'native') {
    for (const segments of nativeBatches(next)) yield body(segments);
  } else {
    for (const spans of compatBatches(next)) yield body(spans.map(zipkinSpan));
  }
}

function body(units: readonly object[]): Body {
  return {spans: units.length, bytes: Buffer.from(JSON.stringify(units))};
}

function zipkinSpan({tags, ...span}: CompatSpan): object {
  return {...span, tags: Object.fromEntries(tags)};
}

/** Posts bodies at the target rate until it is told to stop; answers the rate that was reached. */
export async function ingestAtRate(url: string, bodies: Iterator<Body>, stop: AbortSignal): Promise<number> {
  const begun = performance.now();
  let begunSpans = 0;
  let stored = 0;
  const report = async (): Promise<void> => {
    while (!stop.aborted) {
      const next = bodies.next();
      if (next.done === true) return;
      const {spans, bytes} = next.value;
      begunSpans += spans;
      await post(url, bytes);
      stored += spans;
      const due = (begunSpans / SPANS_PER_SECOND) * 1000 - (performance.now() - begun);
      if (due > 0) await new Promise(done => setTimeout(done, due));
    }
  };
  await Promise.all(Array.from({length: REPORTERS}, report));
  return stored / ((performance.now() - begun) / 1000);
}

async function post(url: string, body: Buffer): Promise<void> {
  const response = await fetch(url, {method: 'POST', body, headers: {'content-type': 'application/json'}});
  if (!response.ok) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
