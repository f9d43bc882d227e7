import {request} from 'undici';

/** Minute at which the records begin: the start of an hour, so that every client window is inside one. */
export const START = 1_700_000_400;
export const MINUTES = 30;
export const END = START + (MINUTES - 1) * 60;

/** Two services with their instances, a percentile metric and a relation: what a dashboard has on its first page. */
export function records(): string {
  const lines: object[] = [
    {record: 'metric', name: 'service_cpm', scope: 'Service', kind: 'common', help: 'calls per minute', unit: ''},
    {record: 'metric', name: 'service_percentile', scope: 'Service', kind: 'labeled', valueLabels: ['p']},
    {record: 'metric', name: 'service_instance_cpm', scope: 'ServiceInstance', kind: 'common'},
    {record: 'metric', name: 'service_relation_client_cpm', scope: 'ServiceRelation', kind: 'common'},
  ];
  const sample = (metric: string, keys: object, time: number, value: number): void => {
    lines.push({record: 'sample', metric, layer: 'GENERAL', ...keys, time, value});
  };
  for (let minute = 0; minute < MINUTES; minute++) {
    const time = START + minute * 60;
    for (const [index, service] of ['songs', 'app'].entries()) {
      sample('service_cpm', {service}, time, minute + index * 100);
      for (const p of ['50', '95']) sample('service_percentile', {service, labels: {p}}, time, Number(p) + minute);
      for (const pod of ['a', 'b']) {
        const serviceInstance = `${service}-${pod}`;
        sample('service_instance_cpm', {service, serviceInstance}, time, minute / 2);
      }
    }
    const relation = {service: 'app', destLayer: 'GENERAL', destService: 'songs'};
    sample('service_relation_client_cpm', relation, time, minute * 3);
  }
  return lines.map(line => JSON.stringify(line)).join('\n');
}

export async function sendRecords(ingest: string): Promise<void> {
  const {statusCode, body} = await request(`${ingest}/ingest/v1/metrics`, {method: 'POST', body: records()});
  const text = await body.text();
  if (statusCode !== 202) throw new Error(`ingest answered ${statusCode}: ${text}`);
}
