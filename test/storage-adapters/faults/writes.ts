import {randomBytes} from 'node:crypto';

/** Writes by number. Every value follows from the number, so that what is stored can be checked to the last one. */
export const WRITES = 60;
const SERVICES = 20;
/** The start of an hour. */
export const START = 1_700_002_800;
export const END = START + (WRITES - 1) * 60;
export const METRIC = 'service_cpm';
export const RECORDS = 'top_statements';

export const ALL_SERVICES: readonly string[] = Array.from({length: SERVICES}, (_, i) => `service-${i}`);
export const ALL_WRITES: readonly number[] = Array.from({length: WRITES}, (_, i) => i);

export const timeOf = (write: number): number => START + write * 60;
export const valueIn = (write: number, service: string): number => write + ALL_SERVICES.indexOf(service) / 64;
export const contentOf = (write: number): string => `statement ${write}`;
export const traceOf = (write: number): string => (0x1000 + write).toString(16).padStart(16, '0');

/** A minute of each service and a record. */
export function metricsBody(write: number): string {
  const entity = {layer: 'GENERAL', service: ALL_SERVICES[0]};
  const time = timeOf(write);
  const lines = [
    {record: 'metric', name: METRIC, scope: 'Service', kind: 'common'},
    {record: 'metric', name: RECORDS, scope: 'Service', kind: 'sampled-record'},
    ...ALL_SERVICES.map(service => ({
      record: 'sample',
      metric: METRIC,
      layer: 'GENERAL',
      service,
      time,
      value: valueIn(write, service),
    })),
    {record: 'sampled-record', metric: RECORDS, ...entity, content: contentOf(write), time, value: write},
  ];
  return lines.map(line => JSON.stringify(line)).join('\n');
}

/** A trace of one span. */
export function spansBody(write: number): string {
  return JSON.stringify([
    {
      traceId: traceOf(write),
      id: traceOf(write),
      name: contentOf(write),
      kind: 'SERVER',
      timestamp: timeOf(write) * 1_000_000,
      duration: 1000 + write,
      localEndpoint: {serviceName: 'shop'},
    },
  ]);
}

/** A trace of another service, of two megabytes that do not compress. */
export function largeBody(number: number): string {
  return JSON.stringify(
    Array.from({length: 64}, (_, i) => ({
      traceId: `f${traceOf(number).slice(1)}`,
      id: traceOf(i),
      name: 'large',
      timestamp: START * 1_000_000,
      duration: 1,
      localEndpoint: {serviceName: 'large'},
      tags: {text: randomBytes(24_000).toString('base64')},
    })),
  );
}
