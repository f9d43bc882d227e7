import test from 'ava';
import type {ConvertedTrace} from '../../../../plugins/traceql/otlp/model.js';
import {traceJson} from '../../../support/whole-trace.js';
import {SPAN, traceOf} from './trace.js';

const textOf = (trace: ConvertedTrace): string => Buffer.concat([...traceJson(trace)]).toString('utf8');

test('a trace has exactly the documented keys, in their order', t => {
  const trace: ConvertedTrace = {
    traceId: '0a1b',
    scope: {name: 'tracer', version: '0.1.0'},
    resources: [
      {
        serviceName: 'app',
        spans: [
          {
            spanId: '01',
            name: 'get /songs',
            kind: 'CLIENT',
            startTimeUnixNano: '1700000040000000001',
            endTimeUnixNano: '1700000040123456789',
            attributes: [
              {key: 'http.method', value: 'GET'},
              {key: 'empty', value: ''},
            ],
            events: [
              {timeUnixNano: '1700000040000000002', name: 'log', attributes: [{key: 'event', value: 'error'}]},
              {timeUnixNano: '0', name: '', attributes: []},
            ],
            status: {code: 'ERROR', message: 'broken'},
          },
          {...SPAN, spanId: '02', parentSpanId: '01', kind: 'UNSPECIFIED'},
        ],
      },
      {serviceName: 'songs', spans: [{...SPAN, spanId: '03', status: {code: 'OK'}}]},
    ],
  };
  t.is(
    textOf(trace),
    '{"trace":{"resourceSpans":[' +
      '{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"app"}}]},' +
      '"scopeSpans":[{"scope":{"name":"tracer","version":"0.1.0"},"spans":[' +
      '{"traceId":"0a1b","spanId":"01","name":"get /songs","kind":"SPAN_KIND_CLIENT",' +
      '"startTimeUnixNano":"1700000040000000001","endTimeUnixNano":"1700000040123456789",' +
      '"attributes":[{"key":"http.method","value":{"stringValue":"GET"}},{"key":"empty","value":{"stringValue":""}}],' +
      '"events":[{"timeUnixNano":"1700000040000000002","name":"log",' +
      '"attributes":[{"key":"event","value":{"stringValue":"error"}}]},' +
      '{"timeUnixNano":"0","name":"","attributes":[]}],' +
      '"status":{"code":"STATUS_CODE_ERROR","message":"broken"}},' +
      '{"traceId":"0a1b","spanId":"02","parentSpanId":"01","name":"get /songs","kind":"SPAN_KIND_UNSPECIFIED",' +
      '"startTimeUnixNano":"1700000040000000001","endTimeUnixNano":"1700000040123456789",' +
      '"attributes":[],"events":[],"status":{"code":"STATUS_CODE_UNSET"}}]}]},' +
      '{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"songs"}}]},' +
      '"scopeSpans":[{"scope":{"name":"tracer","version":"0.1.0"},"spans":[' +
      '{"traceId":"0a1b","spanId":"03","name":"get /songs","kind":"SPAN_KIND_SERVER",' +
      '"startTimeUnixNano":"1700000040000000001","endTimeUnixNano":"1700000040123456789",' +
      '"attributes":[],"events":[],"status":{"code":"STATUS_CODE_OK"}}]}]}]}}',
  );
});

test('a trace without spans is an empty list', t => {
  t.is(textOf({traceId: '00', scope: {name: 'a', version: 'b'}, resources: []}), '{"trace":{"resourceSpans":[]}}');
});

const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['quotes and backslashes', 'say "no" \\ twice'],
  ['control characters', 'a\u0000b\u0001c\nd\te\u001f'],
  ['the delete character', 'a\u007fb'],
  ['two-byte letters', 'Straße'],
  ['three-byte letters', '歌曲 列表'],
  ['letters outside the basic plane', 'x\u{1F600}y'],
  ['line separators', 'a\u2028b\u2029c'],
  ['half of a surrogate pair', 'a\ud800b'],
  ['text longer than the buffer', 'é"'.repeat(30_000)],
  ['plain text longer than the buffer', 'x'.repeat(100_000)],
];

for (const [what, text] of TEXTS) {
  test(`a text with ${what} is read back as it was, wherever it stands`, t => {
    const attributes = [{key: text, value: text}];
    const event = {timeUnixNano: '1', name: text, attributes};
    const json = textOf({
      ...traceOf(),
      resources: [{serviceName: text, spans: [{...SPAN, name: text, attributes, events: [event]}]}],
    });
    const attribute = {key: text, value: {stringValue: text}};
    t.like(JSON.parse(json), {
      trace: {
        resourceSpans: [
          {
            resource: {attributes: [{key: 'service.name', value: {stringValue: text}}]},
            scopeSpans: [
              {spans: [{name: text, attributes: [attribute], events: [{name: text, attributes: [attribute]}]}]},
            ],
          },
        ],
      },
    });
  });
}
