import {BUSY_HOUR} from './metric-records.js';
import {type Draw, drawFrom, pick} from './random.js';

const TRACES = 80;
const SECOND = 1_000_000;

export const COMPAT_SERVICES = ['frontend', 'cart', 'ünïcode 😀'] as const;
export const COMPAT_NAMES = ['get /api', 'post /cart', "it's"] as const;
export const TAG_KEYS = ['http.method', 'http.status_code', 'peer "x"', 'error', 'name', 'ü'] as const;
export const TAG_VALUES = ['GET', 'POST', '500', '', 'true', 'o\'clock \\ "x"', 'ü😀'] as const;

/** Trace ids of 16 and of 32 digits, some with zeros in front. */
export function compatId(index: number): string {
  const low = (0x10 + index * 7919).toString(16).padStart(16, '0');
  return index % 2 === 0 ? low : `00000000000000ab${low}`;
}

/** Zipkin v2 spans as reporters send them, with much of what may be left out left out now and then. */
export function compatSpans(): readonly object[] {
  const draw = drawFrom(2);
  return Array.from({length: TRACES}, (_, index) => traceOf(index, draw)).flat();
}

function traceOf(index: number, draw: Draw): readonly object[] {
  const begin = BUSY_HOUR * SECOND + (index % 40) * 60 * SECOND;
  return Array.from({length: 1 + draw(6)}, (_, i) => {
    const tags = Object.fromEntries(
      Array.from({length: draw(4)}, () => [pick(draw, TAG_KEYS), pick(draw, TAG_VALUES)] as const),
    );
    return {
      traceId: compatId(index),
      id: (i + 1).toString(16).padStart(16, '0'),
      ...(i === 0 ? {} : {parentId: i.toString(16).padStart(16, '0')}),
      ...optional(draw, {kind: pick(draw, ['SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER', 'OTHER'])}),
      ...optional(draw, {name: pick(draw, COMPAT_NAMES)}),
      ...optional(draw, {timestamp: begin + i * 1001, duration: 1 + draw(SECOND)}),
      ...optional(draw, {localEndpoint: {serviceName: pick(draw, COMPAT_SERVICES), ipv4: '10.0.0.1', port: 80 + i}}),
      ...(draw(3) === 0 ? {remoteEndpoint: {serviceName: 'db', ipv6: '2001:db8::1'}} : {}),
      ...(draw(3) === 0 ? {annotations: [{timestamp: begin + i * 1001 + 7, value: pick(draw, TAG_VALUES)}]} : {}),
      ...(draw(5) === 0 ? {shared: true} : {}),
      tags,
    };
  });
}

/** There nine times in ten. */
function optional(draw: Draw, part: object): object {
  return draw(10) === 0 ? {} : part;
}
