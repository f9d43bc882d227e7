import test from 'ava';
import type {CompatSpan, NativeSpan, Segment} from '../../../../core/api/adapter.js';
import {compatModel} from '../../../../core/toolkit/traces/compat-model.js';
import type {TraceModel} from '../../../../core/toolkit/traces/model.js';
import {nativeModel} from '../../../../core/toolkit/traces/native-model.js';

const compat = (id: string, more: Partial<CompatSpan> = {}): CompatSpan => {
  return {traceId: '00000000000000ab', id, annotations: [], tags: new Map(), ...more};
};

const native = (spanId: number, startTime: number, more: Partial<NativeSpan> = {}): NativeSpan => ({
  spanId,
  parentSpanId: spanId - 1,
  startTime,
  endTime: startTime + 5,
  operationName: `op-${spanId}`,
  peer: '',
  spanType: 'Entry',
  spanLayer: 'Http',
  componentId: 0,
  isError: false,
  skipAnalysis: false,
  tags: [],
  logs: [],
  refs: [],
  attachedEvents: [],
  ...more,
});

const segment = (traceSegmentId: string, spans: readonly NativeSpan[]): Segment => {
  return {traceId: 't', traceSegmentId, layer: 'GENERAL', service: 's', serviceInstance: 'i', spans};
};

const from = (parentTraceSegmentId: string, parentSpanId: number) => [
  {
    refType: 'CrossProcess',
    traceId: 't',
    parentTraceSegmentId,
    parentSpanId,
    parentService: '',
    parentServiceInstance: '',
    parentEndpoint: '',
    networkAddressUsedAtPeer: '',
  },
];

test('compat spans are told apart by id, kind and shared, native segments by their id', t => {
  const spans = [compat('1'), compat('2'), compat('1', {kind: 'CLIENT'}), compat('1', {kind: 'CLIENT', shared: true})];
  t.is(new Set(spans.map(compatModel.identity)).size, spans.length);
  t.is(compatModel.identity(compat('1', {name: 'other', shared: false})), compatModel.identity(compat('1')));
  t.is(nativeModel.identity(segment('a\ud800', [])), 'a\ufffd');
});

test('an index sees times in microseconds, and of repeated tags of a native span the last', t => {
  t.like(compatModel.spans(compat('1', {timestamp: 7}))[0], {start: 7, duration: 0, service: undefined, name: ''});
  t.is(compatModel.spans(compat('1'))[0]?.start, undefined);
  const tags = [
    {key: 'k', value: '1'},
    {key: 'k', value: '2'},
  ];
  const [span] = nativeModel.spans(segment('a', [native(0, 3, {tags})]));
  t.like(span, {start: 3000, duration: 5000, service: 's', name: 'op-0'});
  t.deepEqual(span?.tags, new Map([['k', '2']]));
});

/** The roots among all parts of the fragments, the first one first. */
function rootsOf<Fragment>(model: TraceModel<Fragment, unknown>, fragments: readonly Fragment[]): readonly Fragment[] {
  const byIdentity = (identity: string) => fragments.find(fragment => model.identity(fragment) === identity);
  return fragments
    .flatMap(model.parts)
    .filter(part => !model.hasParent(part, byIdentity))
    .sort(model.compareRoots);
}

test('a compat span that names a parent is no root, wherever that is', t => {
  const spans = [compat('3', {timestamp: 1, parentId: '9'}), compat('2', {timestamp: 3}), compat('1', {timestamp: 2})];
  t.deepEqual(
    rootsOf(compatModel, spans).map(({id}) => id),
    ['1', '2'],
  );
});

test('a native span is a root unless its parent is in the trace, in its own segment or the one that called', t => {
  const caller = segment('caller', [native(0, 5), native(1, 6)]);
  const called = segment('called', [native(0, 1, {refs: from('caller', 1)})]);
  const orphan = segment('orphan', [native(0, 4, {refs: from('elsewhere', 0)}), native(1, 4)]);
  const roots = rootsOf(nativeModel, [caller, called, orphan]);
  t.deepEqual(
    roots.map(({traceSegmentId, spans}) => [traceSegmentId, ...spans.map(({spanId}) => spanId)]),
    [
      ['orphan', 0],
      ['caller', 0],
    ],
  );
});

test('the id of a compat trace is found in any form, that of a native one as it is', t => {
  t.is(compatModel.canonicalId('0AB'), '00000000000000ab');
  t.is(compatModel.canonicalId('no id'), undefined);
  t.is(nativeModel.canonicalId('0AB'), '0AB');
});
