import type {CapabilityName, ExportRequest, Readers, TraceExporter} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, type Shown, sameList, shownOf, unorderedOnce} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
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

/** The fragments of a group's data, as the oracle exports them when all batches are written. */
async function standing<Fragment>(
  exporterOf: ExporterOf<Fragment>,
  {data, options}: Subject,
  request: ExportRequest = {},
): Promise<readonly Fragment[]> {
  const oracle = createOracle(options.unsupported);
  for (const batch of data.spans ?? []) await oracle['ingest.compat.v1'].write(batch, call);
  for (const batch of data.segments ?? []) await oracle['ingest.native.v1'].write(batch, call);
  for (const batch of data.otlpSpans ?? []) await oracle['ingest.otlp.v1'].write(batch, call);
  return fragmentsOf(await exported(exporterOf(oracle), request));
}

function fragmentsOf<Fragment>(pages: readonly {readonly content: readonly Fragment[]}[]): readonly Fragment[] {
  return pages.flatMap(({content}) => content);
}

/** Trace id → fragments. */
function countsOf(fragments: readonly {readonly traceId: string}[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const {traceId} of fragments) counts.set(traceId, (counts.get(traceId) ?? 0) + 1);
  return counts;
}

interface TraceExports<Fragment, Trace> {
  readonly kind: TraceFormat<Fragment, Trace>;
  readonly name: CapabilityName;
  readonly exporterOf: ExporterOf<Fragment>;
  /** That of its days. */
  readonly number: number;
  readonly keptOf: (kept: ReturnType<typeof spansToKeep>) => readonly (readonly Fragment[])[];
}

/** Exports of one kind. */
function traceExports<Fragment extends {readonly traceId: string}, Trace>({
  kind,
  name,
  exporterOf,
  number,
  keptOf,
}: TraceExports<Fragment, Trace>): readonly Group[] {
  const start = ownDays(number);
  const kept = keptOf(spansToKeep(kind.name === 'native' ? 'export' : 'e9a1', start));
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
  const batches = [...kept, early, late, many];
  const data = kind.data(batches);
  const own = new Set(batches.flat().map(({traceId}) => traceId));

  const read = async (subject: Subject, request: Parameters<typeof exported>[1] = {}) => {
    const pages = await exported(exporterOf(subject.readers as Required<Readers>), request);
    return pages.map(({content, resume}) => ({content: content.filter(({traceId}) => own.has(traceId)), resume}));
  };
  const shown = (fragments: readonly Fragment[]): readonly Shown[] =>
    fragments.map(fragment => shownOf(kind.shown?.(fragment) ?? fragment));
  const same = (t: TestContext, found: readonly Fragment[], expected: readonly Shown[], what: string): void =>
    sameList(t, unorderedOnce(shown(found)), unorderedOnce(expected), what);

  const group: Group = {
    name: `export_${kind.name}`,
    needs: [name],
    data,
    tests: {
      [`an export has all ${kind.name} traces, with every member, what has been replaced once, and what has no time`]:
        async (t, subject) => {
          const found = fragmentsOf(await read(subject));
          const expected = await standing(exporterOf, subject);
          same(t, found, shown(expected), 'the export');
          const whole = countsOf(expected);
          for (const {content} of await read(subject)) {
            for (const [id, there] of countsOf(content)) t.is(there, whole.get(id), `fragments of ${id} on its page`);
          }
        },
      [`an export of ${kind.name} traces goes on behind each of its pages`]: async (t, subject) => {
        const pages = await read(subject);
        t.true(pages.length > 0);
        const each = pages.map(({content}) => shown(content));
        for (const [i, {resume}] of fewOf(pages)) {
          const rest = await read(subject, {after: resume});
          same(t, fragmentsOf(rest), each.slice(i + 1).flat(), `behind page ${i + 1} of ${pages.length}`);
        }
      },
      [`a window takes the ${kind.name} traces that begin in it`]: async (t, subject) => {
        for (const [from, to] of [
          [start, start + DAY],
          [start + DAY, start + 3 * DAY],
          [start + 10, start + 11],
          [start + 11, start + 2 * DAY + 10],
          [start + 2 * DAY + 10, undefined],
          [undefined, start + 60],
        ] as const) {
          const window = {...(from !== undefined && {from}), ...(to !== undefined && {to})};
          const expected = await standing(exporterOf, subject, window);
          same(t, fragmentsOf(await read(subject, window)), shown(expected), JSON.stringify(comparable(window)));
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
    data: kind.data(batches.slice(0, -1)),
    restarts: true,
    tests: {
      [`an export of ${kind.name} traces goes on after a restart`]: async (t, subject) => {
        const pages = await read(subject);
        await subject.restart();
        same(t, fragmentsOf(await read(subject)), shown(fragmentsOf(pages)), 'after a restart');
        const rest = await read(subject, {after: pages[0]?.resume ?? ''});
        same(t, fragmentsOf(rest), shown(fragmentsOf(pages.slice(1))), 'behind the first page');
      },
    },
  };
  return [group, again];
}

export const TRACE_EXPORTS: readonly Group[] = [
  ...traceExports({
    kind: compat,
    name: 'export.compat.v1',
    exporterOf: readers => readers['export.compat.v1'],
    number: 45,
    keptOf: ({spans}) => spans,
  }),
  ...traceExports({
    kind: native,
    name: 'export.native.v1',
    exporterOf: readers => readers['export.native.v1'],
    number: 46,
    keptOf: ({segments}) => segments,
  }),
  ...traceExports({
    kind: otlp,
    name: 'export.otlp.v1',
    exporterOf: readers => readers['export.otlp.v1'],
    number: 57,
    keptOf: ({otlpSpans}) => otlpSpans,
  }),
];
