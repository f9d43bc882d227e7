import test from 'ava';
import fc from 'fast-check';
import {complete} from '../../../core/toolkit/yielder.js';
import {ObjectStream} from '../../../plugins/ingest-otlp/load/object-stream.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

test('objects behind one another are found whole, with their lines, however the bytes are cut', t => {
  const objects = fc.array(fc.tuple(fc.json({maxDepth: 3}), fc.boolean()), {maxLength: 5});
  fc.assert(
    fc.property(objects, fc.array(fc.nat({max: 60}), {minLength: 1, maxLength: 20}), (items, sizes) => {
      const texts = items.map(([json, isSpread]) =>
        isSpread ? JSON.stringify({resourceSpans: JSON.parse(json)}, null, 1) : `{"resourceSpans":${json}}`,
      );
      const found: {text: string; line: number}[] = [];
      const unreadable: string[] = [];
      const stream = new ObjectStream({
        *object(bytes, line) {
          const text = bytes.toString();
          yield;
          found.push({text, line});
        },
        unreadable: reason => unreadable.push(reason),
      });
      let rest = Buffer.from(texts.join('\n'));
      for (let at = 0; rest.length > 0; at++) {
        const size = (sizes[at % sizes.length] ?? 0) + 1;
        complete(stream.push(rest.subarray(0, size)));
        rest = rest.subarray(size);
      }
      complete(stream.end());
      let line = 1;
      const expected = texts.map(text => {
        const begins = line;
        line += text.split('\n').length;
        return {text, line: begins};
      });
      t.deepEqual(found, expected);
      t.deepEqual(unreadable, []);
    }),
    {numRuns: Math.max(200, FUZZ_RUNS / 10)},
  );
});
