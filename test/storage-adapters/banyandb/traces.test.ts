import test from 'ava';
import {compareNames} from '../../../core/api/adapter.js';
import {QueryTrace} from '../../../storage-adapters/banyandb/proto/methods.js';
import {compatSpan, nativeSpan, segment} from '../../../storage-adapters/conformance/data/spans.js';
import {call} from '../support/calls.js';
import {firstOf, HOUR, openLoaded, RANGE} from './support/loaded-traces.js';
import {END, idOf, KINDS} from './support/measured-traces.js';
import {openScene} from './support/open-adapter.js';

test('every request for traces has a limit', async t => {
  const scene = await openLoaded(t, 'native');
  await firstOf(scene, 'native', [], RANGE);
  await scene.adapter.native.trace('t-1', call);
  const limits = scene.fake.requests.of(QueryTrace).map(({limit}) => limit);
  t.true(limits.length > 10 && limits.every(limit => limit > 0), limits.join());
});

test('more traces in one millisecond than a slice may have come all the same', async t => {
  const at = END - HOUR;
  const crowd = Array.from({length: 120}, (_, i) => segment(`c-${i}`, `s-${i}`, [nativeSpan(0, at)]));
  const scene = await openScene(t, {data: seeder => seeder.segments(crowd), config: {maxSliceTraces: 10}});
  const found = await firstOf(scene, 'native', [], RANGE);
  t.deepEqual(found, crowd.map(({traceId}) => traceId).sort(compareNames));
});

test('more traces than maxScannedTraces are not looked at for a list of values', async t => {
  const many = Array.from({length: 1200}, (_, i) => segment(`c-${i}`, `s-${i}`, [nativeSpan(0, END - i * 1000)]));
  const scene = await openScene(t, {data: seeder => seeder.segments(many), config: {maxScannedTraces: 1000}});
  await t.throwsAsync(scene.adapter.native.tagKeys({filter: [], ...RANGE}, call), {
    message: /1000 or more traces to look at.*option maxScannedTraces/,
  });
});

for (const kind of KINDS) {
  test(`a ${kind} trace over midnight is whole, and in its place in the order`, async t => {
    const midnight = Date.UTC(2026, 0, 6);
    const over = [midnight - 20 * 60_000, midnight + 10 * 60_000];
    const between = midnight + 60_000;
    const scene = await openScene(t, {
      data: async seeder => {
        if (kind === 'native') {
          await seeder.segments([
            ...over.map((at, i) => segment('over', `o-${i}`, [nativeSpan(0, at)], `end-${i}`)),
            segment('between', 'b', [nativeSpan(0, between)]),
          ]);
        } else {
          await seeder.spans([
            ...over.map((at, i) =>
              compatSpan('000000000000000a', i + 1, {timestamp: at * 1000, localEndpoint: {serviceName: `end-${i}`}}),
            ),
            compatSpan('000000000000000b', 1, {timestamp: between * 1000}),
          ]);
        }
      },
    });
    const window = {from: midnight * 1000, to: (midnight + HOUR) * 1000};
    const found = [];
    for await (const trace of scene.adapter[kind].search({filter: [], ...window}, call)) found.push(trace);
    t.deepEqual(
      found.map(({traceId}) => traceId),
      kind === 'native' ? ['between', 'over'] : ['000000000000000b', '000000000000000a'],
    );
    const last = found[1];
    t.is(last !== undefined && ('segments' in last ? last.segments.length : last.spans.length), 2, 'parts');
    t.deepEqual(await firstOf(scene, kind, [{on: 'service', value: 'end-1'}], window), [last?.traceId ?? '']);
    t.deepEqual(await firstOf(scene, kind, [{on: 'service', value: 'end-0'}], window), []);
  });
}

/** Midnights of a node, as its offset from UTC in hours: its own zone is neither that of the OAP nor UTC. */
for (const offset of [-14, -3.5, 0, 5.75, 14]) {
  for (const kind of KINDS) {
    test(`${kind} traces over the midnight of a node ${offset} hours from UTC are whole, however far their parts are apart`, async t => {
      const midnight = Date.UTC(2026, 0, 6) - offset * HOUR;
      const apart = Array.from({length: 20}, (_, i) => [midnight - (i + 1) * 20 * 60_000, midnight + (i + 1) * 30_000]);
      const scene = await openScene(t, {
        fake: {nodeUtcOffset: offset * HOUR},
        async data(seeder) {
          const parts = apart.flatMap(([before = 0, after = 0], i) =>
            [before, after].map((at, part) => ({at, i, part})),
          );
          if (kind === 'native') {
            await seeder.segments(
              parts.map(({at, i, part}) => segment(`t-${i}`, `s-${i}-${part}`, [nativeSpan(0, at)])),
            );
          } else {
            await seeder.spans(
              parts.map(({at, i, part}) => compatSpan(idOf('compat', i), part + 1, {timestamp: at * 1000})),
            );
          }
        },
      });
      const after = {from: midnight * 1000, to: (midnight + HOUR) * 1000};
      const found = [];
      for await (const trace of scene.adapter[kind].search({filter: [], ...after}, call)) found.push(trace);
      t.deepEqual(
        found.map(({traceId}) => traceId),
        apart.map((_, i) => idOf(kind, i)),
        'by their true starts',
      );
      for (const trace of found) t.is('segments' in trace ? trace.segments.length : trace.spans.length, 2, 'parts');
    });
  }
}

test('what is too much to read again at once is read in smaller parts', async t => {
  const large = Array.from({length: 40}, (_, i) =>
    segment(`l-${i}`, `s-${i}`, [nativeSpan(0, END - 1 - i * 1000, {tags: [{key: 'k', value: 'x'.repeat(9000)}]})]),
  );
  const scene = await openScene(t, {data: seeder => seeder.segments(large), config: {maxMessageSize: 65_536}});
  const found = await firstOf(scene, 'native', [], RANGE);
  t.deepEqual(
    found,
    large.map(({traceId}) => traceId),
  );
});

test('a late span of a native segment that began before the window is found', async t => {
  const from = END - HOUR;
  const scene = await openScene(t, {
    data: seeder =>
      seeder.segments(
        [1, 200, 30_000, 1_000_000, 3_000_000].map((before, i) =>
          segment(`late-${i}`, `s-${i}`, [
            nativeSpan(0, from - before, {operationName: 'early', endTime: from + 10}),
            nativeSpan(1, from + i, {operationName: 'late'}),
          ]),
        ),
      ),
  });
  const window = {from: from * 1000, to: (from + 60_000) * 1000};
  t.deepEqual(await firstOf(scene, 'native', [{on: 'name', value: 'late'}], window), [
    'late-0',
    'late-1',
    'late-2',
    'late-3',
    'late-4',
  ]);
  t.deepEqual(await firstOf(scene, 'native', [{on: 'name', value: 'early'}], window), []);
  const names = await scene.adapter.native.attributeValues(
    {attribute: {of: 'name'}, filter: [], ...window, limit: 9},
    call,
  );
  t.deepEqual(names, ['late']);
});

test('of a row that was written twice the last one counts', async t => {
  const scene = await openScene(t, {
    data: async seeder => {
      for (const operationName of ['first', 'second']) {
        await seeder.segments([segment('twice', 's', [nativeSpan(0, END - HOUR, {operationName})])]);
      }
      for (const name of ['first', 'second']) {
        await seeder.spans([compatSpan('00000000000000aa', 1, {timestamp: (END - HOUR) * 1000, name})]);
      }
    },
  });
  const native = await scene.adapter.native.trace('twice', call);
  t.deepEqual(
    native?.segments.flatMap(one => one.spans.map(span => span.operationName)),
    ['second'],
  );
  const compat = await scene.adapter.compat.trace('aa', call);
  t.deepEqual(
    compat?.spans.map(({name}) => name),
    ['second'],
  );
});

test('events are with the span that they name, those of the called side with its child', async t => {
  const event = (name: string, seconds: number, tags: readonly {key: string; value: string}[] = []) => ({
    startTime: {seconds: BigInt(seconds), nanos: 5},
    endTime: {seconds: BigInt(seconds), nanos: 9},
    event: name,
    tags,
    summary: [{key: 'n', value: 3n}],
  });
  const inbound = [
    {key: 'data_type', value: 'request'},
    {key: 'data_direction', value: 'inbound'},
  ];
  const seconds = (END - HOUR) / 1000;
  const ref = {
    refType: 'CrossProcess',
    traceId: 'e',
    parentTraceSegmentId: 'caller',
    parentSpanId: 1,
    parentService: '',
    parentServiceInstance: '',
    parentEndpoint: '',
    networkAddressUsedAtPeer: '',
  };
  const scene = await openScene(t, {
    data: seeder =>
      seeder.segments([
        segment('e', 'caller', [
          nativeSpan(0, END - HOUR),
          nativeSpan(1, END - HOUR, {
            spanType: 'Exit',
            attachedEvents: [
              event('later', seconds + 2),
              event('sent', seconds + 1),
              event('received', seconds + 3, inbound),
            ],
          }),
        ]),
        segment('e', 'called', [nativeSpan(0, END - HOUR, {spanType: 'Entry', refs: [ref]})], 'other'),
      ]),
  });
  const trace = await scene.adapter.native.trace('e', call);
  const events = trace?.segments.flatMap(one =>
    one.spans.map(span => [one.traceSegmentId, span.spanId, span.attachedEvents.map(({event: name}) => name)]),
  );
  t.deepEqual(events, [
    ['caller', 0, []],
    ['caller', 1, ['sent', 'later']],
    ['called', 0, ['received']],
  ]);
  const [sent] = trace?.segments[0]?.spans[1]?.attachedEvents ?? [];
  t.deepEqual(sent, event('sent', seconds + 1));
});

test('a service of spans that had none is found as it is shown', async t => {
  const scene = await openScene(t, {
    data: seeder => seeder.spans([compatSpan('00000000000000bb', 1, {timestamp: (END - HOUR) * 1000})]),
  });
  const trace = await scene.adapter.compat.trace('bb', call);
  t.is(trace?.spans[0]?.localEndpoint?.serviceName, 'unknown');
  t.deepEqual(await firstOf(scene, 'compat', [{on: 'service', value: 'unknown'}], RANGE), ['00000000000000bb']);
});
