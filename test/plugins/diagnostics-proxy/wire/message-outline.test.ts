import test from 'ava';
import fc from 'fast-check';
import {complete} from '../../../../core/toolkit/yielder.js';
import {channelMethods} from '../../../../plugins/diagnostics/proto/contract.js';
import {MessageOutline} from '../../../../plugins/diagnostics-proxy/wire/message-outline.js';
import {MetricsMessageReader} from '../../../../plugins/diagnostics-proxy/wire/metrics-message-reader.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const text = fc.constantFrom('', 'pod', 'pöd', 'x'.repeat(200));
const described = fc.record({
  name: text,
  description: text,
  labels: fc.dictionary(text, text, {maxKeys: 3}),
  type: fc.constantFrom(
    'METRIC_TYPE_GAUGE' as const,
    'METRIC_TYPE_COUNTER' as const,
    'METRIC_TYPE_UNSPECIFIED' as const,
  ),
});
const value = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1));
const metrics = fc.array(fc.tuple(described, value, value), {maxLength: 5});
const seconds = fc.option(fc.maxSafeInteger().map(String), {nil: undefined});

type Described = Parameters<typeof channelMethods.StreamMetrics.requestSerialize>[0]['metrics'];

function serialize(all: Described, at: string | undefined): Buffer {
  const time = at === undefined ? {} : {timestamp: {seconds: at, nanos: 1}};
  return channelMethods.StreamMetrics.requestSerialize({metrics: all ?? [], ...time});
}

const outlineOf = (bytes: Buffer) => complete(MessageOutline.of(bytes));
const read = (bytes: Buffer) => [...new MetricsMessageReader(bytes).metrics()];

test('the values of a message that differs in values and time alone are found without reading it', t => {
  fc.assert(
    fc.property(metrics, seconds, seconds, (all, before, after) => {
      const outline = outlineOf(
        serialize(
          all.map(([metric, value]) => ({...metric, value})),
          before,
        ),
      );
      const bytes = serialize(
        all.map(([metric, , value]) => ({...metric, value})),
        after,
      );
      const values = outline && complete(outline.valuesOf(bytes));
      t.deepEqual(
        values,
        Float64Array.from(read(bytes), ({value}) => value),
      );
    }),
    {numRuns: FUZZ_RUNS},
  );
});

test('a value of 0, which is not written, is found as any other', t => {
  const metric = {name: 'm', labels: {a: 'b'}, description: 'M.'};
  const written = channelMethods.StreamMetrics.requestSerialize({metrics: [{...metric, value: 1}]});
  // The same without the nine bytes of the value.
  const at = written.indexOf(0x19);
  const without = Buffer.concat([written.subarray(0, at), written.subarray(at + 9)]);
  without[1] = without.length - 2;
  t.deepEqual(
    read(without).map(({value}) => value),
    [0],
  );
  for (const [first, second, value] of [
    [written, without, 0],
    [without, written, 1],
  ] as const) {
    const outline = outlineOf(first);
    t.deepEqual(outline && complete(outline.valuesOf(second)), Float64Array.of(value));
  }
});

test('a message with any byte changed, added or left out never passes for one whose values alone are others', t => {
  fc.assert(
    fc.property(metrics, seconds, fc.nat(), fc.nat(255), fc.nat(2), (all, time, where, byte, kind) => {
      const bytes = serialize(
        all.map(([metric, value]) => ({...metric, value})),
        time,
      );
      const outline = outlineOf(bytes);
      const at = where % (bytes.length + 1);
      const changed = Buffer.concat([
        bytes.subarray(0, at),
        kind === 0 ? Buffer.alloc(0) : Buffer.of(byte),
        bytes.subarray(kind === 1 ? at : at + 1),
      ]);
      try {
        const values = outline && complete(outline.valuesOf(changed));
        if (values === undefined) return;
        const [before, after] = [read(bytes), read(changed)];
        t.deepEqual(
          after.map(({value: _, ...rest}) => rest),
          before.map(({value: _, ...rest}) => rest),
        );
        t.deepEqual(
          values,
          Float64Array.from(after, ({value}) => value),
        );
      } catch (error) {
        t.true(error instanceof RangeError, String(error));
      }
    }),
    {numRuns: FUZZ_RUNS * 5},
  );
});

test('a message in an order that nobody writes has no outline', t => {
  const one = channelMethods.StreamMetrics.requestSerialize({metrics: [{name: 'm', labels: {}, value: 1}]});
  const time = channelMethods.StreamMetrics.requestSerialize({metrics: [], timestamp: {seconds: '5', nanos: 0}});
  t.not(outlineOf(Buffer.concat([one, one, time])), undefined);
  t.is(outlineOf(Buffer.concat([one, time, one])), undefined);
  const twice = Buffer.concat([one, one.subarray(one.indexOf(0x19), one.indexOf(0x19) + 9)]);
  twice[1] = twice.length - 2;
  t.is(outlineOf(twice), undefined);
});
