import {TAG_KEYS, TAG_VALUES} from './compat-spans.js';
import {BUSY_HOUR} from './metric-records.js';
import {type Draw, drawFrom, pick} from './random.js';

const TRACES = 150;
const NANOS = 1_000_000_000n;

export const OTLP_SERVICES = ['shop', 'Cart', 'dienst ü 😀'] as const;
export const OTLP_NAMES = ['GET /api', 'query', "it's"] as const;
export const RESOURCE_KEYS = ['replicas', 'host "a"', 'region'] as const;

export function otlpId(index: number): string {
  return (0x70 + index * 7919).toString(16).padStart(32, index % 3 === 0 ? 'f' : '0');
}

/** Elements of `resourceSpans`, each with one span, so that bodies may be cut anywhere. */
export function otlpResourceSpans(): readonly object[] {
  const draw = drawFrom(4);
  return Array.from({length: TRACES}, (_, index) => traceOf(index, draw)).flat();
}

function traceOf(index: number, draw: Draw): readonly object[] {
  const begin = BigInt(BUSY_HOUR + (index % 30) * 60) * NANOS;
  return Array.from({length: 1 + draw(6)}, (_, i) => {
    const start = begin + BigInt(i * 1_001_001);
    const link = {traceId: otlpId(index + 1), spanId: '00000000000000ff', attributes: attributes(draw, TAG_KEYS)};
    const span = {
      traceId: otlpId(index),
      spanId: (i + 1).toString(16).padStart(16, '0'),
      // Of some traces the first span was called by one that nobody has sent.
      parentSpanId: i > 0 ? i.toString(16).padStart(16, '0') : index % 4 === 0 ? 'ffffffffffffffff' : '',
      name: pick(draw, OTLP_NAMES),
      kind: draw(7),
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + BigInt(draw(1_000_000_000))),
      attributes: attributes(draw, TAG_KEYS),
      events:
        draw(3) === 0 ? [{timeUnixNano: String(start + 1n), name: 'e', attributes: attributes(draw, TAG_KEYS)}] : [],
      links: draw(4) === 0 ? [link] : [],
      status: {code: draw(3), message: pick(draw, TAG_VALUES)},
      flags: draw(512),
    };
    const service = {key: 'service.name', value: {stringValue: pick(draw, OTLP_SERVICES)}};
    return {
      resource: {attributes: [service, ...attributes(draw, RESOURCE_KEYS)]},
      schemaUrl: pick(draw, ['', 'https://schemas/1']),
      scopeSpans: [{scope: {name: pick(draw, ['', 'lib']), attributes: attributes(draw, ['ü'])}, spans: [span]}],
    };
  });
}

/** Of the texts of `TAG_VALUES`, also as values of other types. */
function attributes(draw: Draw, keys: readonly string[]): readonly object[] {
  return Array.from({length: draw(7)}, () => {
    const text = pick(draw, TAG_VALUES);
    const values = [
      ...Array.from({length: 5}, () => ({stringValue: text})),
      {intValue: '500'},
      {doubleValue: 500},
      {boolValue: true},
      {arrayValue: {values: [{stringValue: text}, {intValue: '9007199254740993'}]}},
      {kvlistValue: {values: [{key: text, value: {bytesValue: 'AAH/'}}]}},
      {},
    ];
    return {key: pick(draw, keys), value: pick(draw, values)};
  });
}
