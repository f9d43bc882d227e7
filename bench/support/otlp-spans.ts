import type {OtlpSpan} from '../../core/api/plugin.js';

export const SERVICES = 200;

/** Traces begin within so many milliseconds. */
const TIMES = 600;

/** 32 bits that look like chance, as ids of real spans do: what is stored of them cannot be made smaller. */
function scattered(number: number, salt: number): number {
  let bits = Math.imul(number ^ salt, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca77);
  return (bits ^ (bits >>> 13)) >>> 0;
}

function hex(number: number, salt: number): string {
  return scattered(number, salt).toString(16).padStart(8, '0');
}

function spanIdOf(number: number): string {
  return hex(number, 1) + hex(number, 2);
}

/** The spans of a trace that began shortly before `now` (milliseconds), of ten attributes each. */
export function benchSpans(number: number, count: number, now: number): readonly OtlpSpan[] {
  const traceId = [3, 4, 5, 6].map(salt => hex(number, salt)).join('');
  const begin = BigInt(now - (number % TIMES)) * 1_000_000n;
  const service = `service-${number % SERVICES}`;
  const resource = {
    attributes: [
      {key: 'service.name', value: service},
      {key: 'service.instance.id', value: `${service}-${number % 7}`},
      {key: 'telemetry.sdk.language', value: 'java'},
    ],
    droppedAttributesCount: 0,
    schemaUrl: 'https://opentelemetry.io/schemas/1.27.0',
  };
  const scope = {
    name: 'io.opentelemetry.tomcat-10.0',
    version: '2.9',
    attributes: [],
    droppedAttributesCount: 0,
    schemaUrl: '',
  };
  return Array.from(
    {length: count},
    (_, at): OtlpSpan => ({
      traceId,
      spanId: spanIdOf(number * count + at + 1),
      ...(at > 0 && {parentSpanId: spanIdOf(number * count + at)}),
      traceState: '',
      flags: 257,
      name: `GET /resource/${number % 40}`,
      kind: at === 0 ? 2 : 3,
      startTime: begin + BigInt(at) * 1_000_000n,
      endTime: begin + BigInt(at) * 1_000_000n + BigInt(scattered(number * count + at, 7) % 10_000_000),
      attributes: [
        {key: 'http.request.method', value: 'GET'},
        {key: 'http.response.status_code', value: at === 5 ? 500n : 200n},
        {key: 'url.path', value: `/resource/${number % 40}/${number % 997}`},
        {key: 'server.address', value: `${service}.example`},
        {key: 'server.port', value: 8080n},
        {key: 'thread.name', value: `http-nio-8080-exec-${at}`},
        {key: 'user.id', value: `user ${number % 5000}`},
        {key: 'cached', value: at % 2 === 0},
        {key: 'network.protocol.version', value: '1.1'},
        {key: 'user_agent.original', value: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'},
      ],
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      links: [],
      droppedLinksCount: 0,
      status: {code: 0, message: ''},
      resource,
      scope,
    }),
  );
}
