import test from 'ava';
import type {Segment} from '../../../../core/api/adapter.js';
import {embeddedNativeModel} from '../../../../storage-adapters/embedded/traces/fragments/model.js';

const SEGMENT: Segment = {
  traceId: 't',
  traceSegmentId: 's',
  layer: 'L',
  service: 'a',
  serviceInstance: 'i',
  spans: [
    {
      spanId: 0,
      parentSpanId: -1,
      startTime: 1,
      endTime: 2,
      operationName: 'o',
      peer: 'p',
      spanType: 'Entry',
      spanLayer: 'Http',
      componentId: 3,
      component: 'c',
      isError: true,
      skipAnalysis: false,
      tags: [{key: 'k', value: 'v'}],
      logs: [{time: 4, data: [{key: 'e', value: 'f'}]}],
      refs: [
        {
          refType: 'CrossProcess',
          traceId: 't',
          parentTraceSegmentId: 'q',
          parentSpanId: 1,
          parentService: 'b',
          parentServiceInstance: 'bi',
          parentEndpoint: 'be',
          networkAddressUsedAtPeer: 'n',
        },
      ],
      attachedEvents: [
        {
          startTime: {seconds: 9_007_199_254_740_993n, nanos: 1},
          endTime: {seconds: 2n, nanos: 3},
          event: 'ev',
          tags: [],
          summary: [{key: 'n', value: 5n}],
        },
      ],
    },
  ],
};

/** What stands on disks: it cannot change without a migration of everything that is stored. */
const BODY =
  '["s","L","a","i",[[0,-1,1,2,"o","p","Entry","Http",3,"c",true,false,["k","v"],[[4,["e","f"]]],' +
  '[{"refType":"CrossProcess","traceId":"t","parentTraceSegmentId":"q","parentSpanId":1,"parentService":"b",' +
  '"parentServiceInstance":"bi","parentEndpoint":"be","networkAddressUsedAtPeer":"n"}],' +
  '[["9007199254740993",1,"2",3,"ev",[],["n","5"]]]]]]';

test('a segment is written as it always was, and read as it was written', t => {
  t.is(embeddedNativeModel.encode(SEGMENT), BODY);
  t.deepEqual(embeddedNativeModel.decode('t', BODY), SEGMENT);
});
