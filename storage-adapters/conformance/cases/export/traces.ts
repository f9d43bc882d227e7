import type {CapabilityName, Readers, TraceExporter} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, sameList, unordered} from '../../comparable.js';
import {DAY, ownDays} from '../../data/times.js';
import {type CommonSpan, compat, native, type TraceFormat} from '../../data/trace-formats.js';
import {exported, fewOf} from '../../exported.js';
import type {Group} from '../../group.js';
import {createOracle} from '../../oracle/oracle.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';
import {spansToKeep} from '../restarts/data.js';

const MANY = 900;

type ExporterOf<Fragment> = (readers: Required<Readers>) => TraceExporter<Fragment>;

/** The fragments of a group's data, as the oracle holds them when all batches are written. */
async function standing<Fragment>(exporterOf: ExporterOf<Fragment>, subject: Subject): Promise<readonly Fragment[]> {
  const oracle = createOracle(subject.options.unsupported);
  for (const batch of subject.data.spans ?? []) await oracle['ingest.compat.v1'].write(batch, call);
  for (const batch of subject.data.segments ?? []) await oracle['ingest.native.v1'].write(batch, call);
  return fragmentsOf(await exported(exporterOf(oracle)));
}

/** Segments have 64-bit integers. */
function textOf(fragment: unknown): string {
  return JSON.stringify(comparable(fragment), (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
}

function fragmentsOf<Fragment>(pages: readonly {readonly content: readonly Fragment[]}[]): readonly Fragment[] {
  return pages.flatMap(({content}) => content);
}

/** Exports of one kind. `number` is that of the days of its first group. */
function traceExports<Fragment extends {readonly traceId: string}, Trace>(
  kind: TraceFormat<Fragment, Trace>,
  name: CapabilityName,
  exporterOf: ExporterOf<Fragment>,
  number: number,
): readonly Group[] {
  const start = ownDays(number);
  const kept = spansToKeep(kind.name === 'compat' ? 'e9a1' : 'export', start);
  const spanAt = (trace: number, span: number, at: number): CommonSpan => ({
    trace: number * 1_000_000 + trace,
    span,
    start: (start + at) * 1000,
    duration: 5,
    service: 'kit-export',
    name: `call ${span}`,
    kind: 'SERVER',
    error: false,
    tags: {n: String(span)},
  });
  const many = Array.from({length: MANY}, (_, i) =>
    Array.from({length: 1 + (i % 5)}, (_, n) => kind.fragment(spanAt(100 + i, n + 1, i * 60 + n))),
  ).flat();
  // One trace begins on the first day and goes on on the third.
  const early = [spanAt(1, 1, 10), spanAt(1, 2, 2 * DAY + 10)].map(kind.fragment);
  const late = [kind.fragment(spanAt(2, 1, 2 * DAY + 10))];
  const batches = [...(kind.name === 'compat' ? [...kept.spans] : [...kept.segments]), early, late, many];
  const data = kind.data(batches as unknown as readonly (readonly Fragment[])[]);
  const own = new Set(batches.flat().map(({traceId}) => traceId));

  const read = async (subject: Subject, request: Parameters<typeof exported>[1] = {}) => {
    const pages = await exported(exporterOf(subject.readers as Required<Readers>), request);
    return pages.map(({content, resume}) => ({content: content.filter(({traceId}) => own.has(traceId)), resume}));
  };
  const once = (fragments: readonly Fragment[]): readonly unknown[] =>
    unordered([...new Map(fragments.map(one => [textOf(one), one])).values()]);
  const same = (t: TestContext, found: readonly Fragment[], expected: readonly Fragment[], what: string): void =>
    sameList(t, once(found), once(expected), what);

  const group: Group = {
    name: `export_${kind.name}`,
    needs: [name],
    data,
    tests: {
      [`an export has all ${kind.name} traces, with every member, what has been replaced once, and what has no time`]:
        async (t, subject) => {
          const found = fragmentsOf(await read(subject));
          const expected = await standing(exporterOf, subject);
          same(t, found, expected, 'the export');
          const whole = new Map<string, number>();
          for (const {traceId} of expected) whole.set(traceId, (whole.get(traceId) ?? 0) + 1);
          for (const {content} of await read(subject)) {
            for (const id of new Set(content.map(({traceId}) => traceId))) {
              const there = content.filter(({traceId}) => traceId === id).length;
              t.is(there, whole.get(id), `fragments of ${id} on its page`);
            }
          }
        },
      [`an export of ${kind.name} traces goes on behind each of its pages`]: async (t, subject) => {
        const pages = await read(subject);
        t.true(pages.length > 0);
        for (const [i, {resume}] of fewOf(pages)) {
          const rest = await read(subject, {after: resume});
          same(t, fragmentsOf(rest), fragmentsOf(pages.slice(i + 1)), `behind page ${i + 1} of ${pages.length}`);
        }
      },
      [`a window takes the ${kind.name} traces that begin in it`]: async (t, subject) => {
        const oracle = createOracle(subject.options.unsupported);
        for (const batch of subject.data.spans ?? []) await oracle['ingest.compat.v1'].write(batch, call);
        for (const batch of subject.data.segments ?? []) await oracle['ingest.native.v1'].write(batch, call);
        for (const [from, to] of [
          [start, start + DAY],
          [start + DAY, start + 3 * DAY],
          [start + 10, start + 11],
          [start + 11, start + 2 * DAY + 10],
          [start + 2 * DAY + 10, undefined],
          [undefined, start + 60],
        ] as const) {
          const window = {...(from !== undefined && {from}), ...(to !== undefined && {to})};
          const expected = fragmentsOf(await exported(exporterOf(oracle), window));
          same(t, fragmentsOf(await read(subject, window)), expected, JSON.stringify(comparable(window)));
        }
      },
      [`a text that is no place in an export of ${kind.name} traces is refused`]: async (t, subject) => {
        for (const after of ['', 'x', '[]', '["other",1]', `["${kind.name}",null]`]) {
          const refused = await exported(exporterOf(subject.readers as Required<Readers>), {after}).then(
            () => 'nothing',
            (error: {readonly code?: string}) => error.code,
          );
          t.is(refused, 'bad_request', JSON.stringify(after));
        }
      },
    },
  };
  const again: Group = {
    name: `export_${kind.name}_again`,
    needs: [name],
    data: kind.data(batches.slice(0, -1) as unknown as readonly (readonly Fragment[])[]),
    restarts: true,
    tests: {
      [`an export of ${kind.name} traces goes on after a restart`]: async (t, subject) => {
        const pages = await read(subject);
        await subject.restart();
        same(t, fragmentsOf(await read(subject)), fragmentsOf(pages), 'after a restart');
        const rest = await read(subject, {after: pages[0]?.resume ?? ''});
        same(t, fragmentsOf(rest), fragmentsOf(pages.slice(1)), 'behind the first page');
      },
    },
  };
  return [group, again];
}

export const TRACE_EXPORTS: readonly Group[] = [
  ...traceExports(compat, 'export.compat.v1', readers => readers['export.compat.v1'], 45),
  ...traceExports(native, 'export.native.v1', readers => readers['export.native.v1'], 46),
];
