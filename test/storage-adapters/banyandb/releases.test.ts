import test from 'ava';
import {compatSpanView, matchesSpan, nativeSpanView, type SpanFilter} from '../../../core/api/adapter.js';
import {call} from '../support/calls.js';
import {COUNT, END, idOf, KINDS, type Kind, segmentOf, spanOf, startOf} from './support/measured-traces.js';
import {openScene} from './support/open-adapter.js';

const CAPABILITIES = {compat: 'traces.compat.v1', native: 'traces.native.v2'} as const;
const tag = {on: 'tag', key: 'http.method', value: 'GET'} as const;
const service = {on: 'service', value: 'svc-3'} as const;

/** What 0.9.0 has lost rows of, and others. */
const SEARCHES: readonly SpanFilter[] = [
  [],
  [{on: 'duration', is: '>', value: 400_000}],
  [tag],
  [service, {on: 'kind', value: 'SERVER'}],
  [service, tag],
];

const FROM = END - 900_000;

function isFound(kind: Kind, i: number, filter: SpanFilter): boolean {
  if (startOf(i) < FROM) return false;
  if (kind === 'compat') return matchesSpan(filter, compatSpanView(spanOf(i)));
  const one = segmentOf(i);
  return one.spans.some(span => matchesSpan(filter, nativeSpanView(one, span)));
}

for (const release of ['0.8', '0.9', '0.10', '0.11'] as const) {
  test(`every reader that is claimed of release ${release} finds all that match, in a window within the stored time`, async t => {
    const all = Array.from({length: COUNT}, (_, i) => i);
    const lost: string[] = [];
    const {adapter} = await openScene(t, {
      fake: {release},
      data(seeder) {
        if (release === '0.8') return;
        seeder.spans(all.map(spanOf));
        seeder.segments(all.map(segmentOf));
      },
    });
    for (const kind of KINDS) {
      if (!adapter.capabilities.includes(CAPABILITIES[kind])) continue;
      for (const filter of SEARCHES) {
        const expected = all.filter(i => isFound(kind, i, filter)).map(i => idOf(kind, i));
        const found = new Set<string>();
        const request = {filter, from: FROM * 1000, to: END * 1000};
        for await (const {traceId} of adapter[kind].search(request, call)) found.add(traceId);
        const missing = expected.filter(id => !found.has(id)).length;
        if (missing > 0) lost.push(`${kind} ${JSON.stringify(filter)}: ${missing} of ${expected.length}`);
      }
    }
    t.deepEqual(lost, []);
  });
}
