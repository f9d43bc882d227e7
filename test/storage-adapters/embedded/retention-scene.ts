import type {Step} from '../../../core/api/adapter.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

export const HOUR = 3600;
export const DAY = 86_400;
export const START = Math.floor(1_700_000_000 / DAY) * DAY;
export const load = metric('load', {rollup: 'sum'});
export const statements = metric('statements', {kind: 'sampled-record'});

export function service(i: number) {
  return {layer: 'L', service: `s${i}`};
}

export async function read(harness: Harness, step: Step, first: number, count: number, i = 0): Promise<unknown> {
  const window = {step, first, count};
  const columns = await harness.metrics.values(
    {metric: load, entity: service(i), valueFilters: new Map(), window},
    call,
  );
  return columns.map(plain).map(({values}) => values)[0];
}

export const RETENTION = {minute: 7 * DAY * 1000, records: 7 * DAY * 1000, traces: 7 * DAY * 1000};

/** A folder with a day of minutes, a record and a trace, and a clock that can be set while time passes. */
export async function scene(t: Parameters<typeof temporaryFolder>[0]) {
  const time = {wall: (START + DAY) * 1000, steady: 0};
  const hooks = {clock: () => time.wall, steady: () => time.steady};
  const path = await temporaryFolder(t);
  const open = () => Harness.open({path, memory: 0, retention: RETENTION}, hooks);
  const harness = await open();
  const sample = (at: number) => ({metric: 'load', entity: service(0), time: at, value: 1});
  await harness.write({
    metrics: [load, statements],
    samples: Array.from({length: 24 * 60}, (_, i) => sample(START + i * 60)),
    records: [{metric: 'statements', entity: service(0), content: 'select', time: START + DAY - 60, value: 1}],
  });
  const spans = [{traceId: '1', id: '1', timestamp: (START + DAY - 60) * 1e6, annotations: [], tags: new Map()}];
  await harness.spans.write(spans, call);
  const kept = async (of: Harness) => {
    await of.storage.settle();
    const window = {step: 'day', first: START, count: 2} as const;
    const ranked = {metric: statements, layer: 'L', parentService: 's0', order: 'ASC', limit: 9, window} as const;
    return {
      minutes: ((await read(of, 'minute', START, 24 * 60)) as number[] | undefined)?.length ?? 0,
      records: (await of.metrics.sampledRecords(ranked, call)).length,
      traces: (await of.compat.trace('1', call))?.spans.length ?? 0,
    };
  };
  return {time, harness, open, kept, sample};
}

export const ALL = {minutes: 24 * 60, records: 1, traces: 1};
