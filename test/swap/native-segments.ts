import {TAG_KEYS, TAG_VALUES} from './compat-spans.js';
import {BUSY_HOUR} from './metric-records.js';
import {type Draw, drawFrom, pick} from './random.js';

const TRACES = 60;

export const NATIVE_SERVICES = ['Consumer', 'producer', 'Dienst ü 😀'] as const;
export const OPERATIONS = ['POST:/users', 'Redis/GET', "it's"] as const;

export function nativeId(index: number): string {
  return index % 5 === 0 ? `spur-ü-😀-${index}` : `a12.38.${17_739_924_187_687_000n + BigInt(index)}`;
}

/** Segments of the SkyWalking report protocol, one to three a trace, each after the first called from the one before. */
export function nativeSegments(): readonly object[] {
  const draw = drawFrom(3);
  return Array.from({length: TRACES}, (_, index) => traceOf(index, draw)).flat();
}

function traceOf(index: number, draw: Draw): readonly object[] {
  const traceId = nativeId(index);
  const begin = BUSY_HOUR * 1000 + (index % 30) * 60_000;
  return Array.from({length: 1 + draw(3)}, (_, number) => ({
    traceId,
    traceSegmentId: `${traceId}.${number}`,
    service: pick(draw, NATIVE_SERVICES),
    serviceInstance: `instance-${draw(3)}`,
    ...(draw(4) === 0 ? {layer: 'MESH'} : {}),
    spans: Array.from({length: 1 + draw(4)}, (_, spanId) =>
      spanOf(draw, {spanId, begin: begin + number * 10, traceId, number}),
    ),
  }));
}

interface Place {
  readonly spanId: number;
  readonly begin: number;
  readonly traceId: string;
  /** Of the segment in its trace. */
  readonly number: number;
}

function spanOf(draw: Draw, {spanId, begin, traceId, number}: Place): object {
  const startTime = begin + spanId;
  const reference = {
    refType: 'CrossProcess',
    traceId,
    parentTraceSegmentId: `${traceId}.${number - 1}`,
    parentSpanId: 0,
    parentService: 'Consumer',
    parentServiceInstance: 'instance-0',
    parentEndpoint: 'POST:/users',
    networkAddressUsedAtPeer: '10.0.0.1:80',
  };
  return {
    spanId,
    parentSpanId: spanId - 1,
    startTime,
    endTime: startTime + draw(2000),
    operationName: pick(draw, OPERATIONS),
    peer: draw(2) === 0 ? '' : 'db:5432',
    spanType: pick(draw, ['Entry', 'Exit', 'Local']),
    spanLayer: pick(draw, ['Http', 'Database', 'MQ', 'Unknown']),
    componentId: draw(100),
    isError: draw(6) === 0,
    skipAnalysis: draw(8) === 0,
    tags: Array.from({length: draw(4)}, () => ({key: pick(draw, TAG_KEYS), value: pick(draw, TAG_VALUES)})),
    logs: draw(3) === 0 ? [{time: startTime + 1, data: [{key: 'event', value: pick(draw, TAG_VALUES)}]}] : [],
    refs: spanId === 0 && number > 0 ? [reference] : [],
    attachedEvents:
      draw(6) === 0
        ? [
            {
              startTime: {seconds: String(BUSY_HOUR), nanos: 5},
              endTime: {seconds: String(BUSY_HOUR), nanos: 9},
              event: 'tcp connect',
              tags: [{key: 'k', value: 'v'}],
              summary: [{key: 'n', value: '9007199254740993'}],
            },
          ]
        : [],
  };
}
