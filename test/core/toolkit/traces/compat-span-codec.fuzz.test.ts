import test from 'ava';
import fc from 'fast-check';
import type {CompatSpan} from '../../../../core/api/adapter.js';
import {
  type CompatSpanBody,
  decodeCompatSpan,
  decodeTaggedCompatSpan,
  encodeCompatSpan,
  encodeTaggedCompatSpan,
  type TaggedCompatSpanBody,
} from '../../../../core/toolkit/traces/compat-span-codec.js';
import {compatSpan} from '../../../storage-adapters/support/trace-fragments.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const FULL: CompatSpan = {
  traceId: '00000000000000ab',
  id: '1',
  parentId: '2',
  kind: 'CLIENT',
  name: 'get',
  timestamp: 3,
  duration: 4,
  localEndpoint: {serviceName: 'a', ipv4: '1.2.3.4', ipv6: '::1', port: 80},
  remoteEndpoint: {port: 81},
  annotations: [
    {timestamp: 5, value: 'x'},
    {timestamp: 6, value: 'y'},
  ],
  tags: new Map([
    ['k', 'v'],
    ['l', 'w'],
  ]),
  debug: true,
  shared: false,
};
const BARE: CompatSpan = {traceId: '00000000000000ab', id: '1', annotations: [], tags: new Map()};

/** What stands on disks: it cannot change without a migration of everything that is stored. */
const WRITTEN: readonly (readonly [CompatSpan, plain: string, tagged: string])[] = [
  [
    FULL,
    '["1","2","CLIENT","get",3,4,["a","1.2.3.4","::1",80],[null,null,null,81],[5,"x",6,"y"],true,false]',
    '["1","2","CLIENT","get",3,4,["a","1.2.3.4","::1",80],[null,null,null,81],[5,"x",6,"y"],["k","v","l","w"],true,false]',
  ],
  [
    BARE,
    '["1",null,null,null,null,null,null,null,[],null,null]',
    '["1",null,null,null,null,null,null,null,[],[],null,null]',
  ],
];

test('a compat span is written as it always was', t => {
  for (const [span, plain, tagged] of WRITTEN) {
    t.is(JSON.stringify(encodeCompatSpan(span)), plain);
    t.is(JSON.stringify(encodeTaggedCompatSpan(span)), tagged);
  }
});

test('any compat span is read as it was written, with its tags in it or beside it', t => {
  const property = fc.property(compatSpan, span => {
    const plain = JSON.parse(JSON.stringify(encodeCompatSpan(span))) as CompatSpanBody;
    t.deepEqual(decodeCompatSpan(span.traceId, plain, span.tags), span);
    const tagged = JSON.parse(JSON.stringify(encodeTaggedCompatSpan(span))) as TaggedCompatSpanBody;
    t.deepEqual(decodeTaggedCompatSpan(span.traceId, tagged), span);
  });
  fc.assert(property, {numRuns: FUZZ_RUNS});
  for (const [span] of WRITTEN) t.deepEqual(decodeTaggedCompatSpan(span.traceId, encodeTaggedCompatSpan(span)), span);
});
