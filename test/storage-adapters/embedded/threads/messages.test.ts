import test from 'ava';
import {buffersOf} from '../../../../storage-adapters/embedded/threads/messages.js';

test('a buffer is handed over where its array is all of it, and copied where others may have a part of it', t => {
  const whole = new Float64Array(2);
  const [one, other] = [new Uint8Array(8), new Uint8Array(8)].map(({buffer}) => new Uint8Array(buffer, 2, 4));
  const pooled = Buffer.from('small');
  t.true(pooled.byteLength < pooled.buffer.byteLength);
  t.deepEqual(buffersOf({whole, one, other, pooled, text: 'x', list: [whole]}), [whole.buffer]);
  t.deepEqual(buffersOf(null), []);
});
