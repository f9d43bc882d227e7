import {cpSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {TestFn} from 'ava';
import {type Owner, scratchFolder} from '../../support/gateway.js';
import {ownerOf} from '../../support/owner.js';
import {configFile, embedded, gatewayOver, sendTo} from './copying.js';

/** The first minute. */
export const START = 1_700_000_040;
export const DECLARATION = {name: 'cpm', scope: 'Service', kind: 'common'} as const;

export const line = (record: object): string => `${JSON.stringify(record)}\n`;
export const span = (id: number, time: number): object => ({
  traceId: id.toString(16).padStart(16, '0'),
  id: '1111111111111111',
  name: 'get',
  timestamp: time * 1_000_000,
  localEndpoint: {serviceName: 'app'},
});
export const segment = (id: string, time: number): object => ({
  traceId: id,
  traceSegmentId: `${id}.0`,
  service: 'app',
  serviceInstance: 'app1',
  spans: [{spanId: 0, parentSpanId: -1, startTime: time * 1000, endTime: time * 1000 + 5, operationName: 'GET:/'}],
});

export const otlp = (id: number, time: number, name = 'get'): object => ({
  resource: {attributes: [{key: 'service.name', value: {stringValue: 'app'}}]},
  scopeSpans: [
    {
      spans: [
        {
          traceId: id.toString(16).padStart(32, '0'),
          spanId: '1111111111111111',
          name,
          startTimeUnixNano: `${time}000000001`,
          endTimeUnixNano: `${time}000000002`,
          attributes: [{key: 'share', value: {doubleValue: 0.5}}],
        },
      ],
    },
  ],
});
export const otlpBody = (resourceSpans: readonly object[]): string => JSON.stringify({resourceSpans});

/** What a copy of so many minutes says at its end. */
export const COPIED = (n: number): RegExp =>
  new RegExp(
    `^copied ${n} samples, ${n} compat spans, ${n} segments, ${n} native spans, ${n} OTLP spans in \\d+\\.\\d s$`,
  );

/** Writes some minutes of samples, and a trace of each kind in each, and gives the folder that they are in. */
export async function written(t: Owner, minutes: number): Promise<string> {
  const folder = await scratchFolder(t);
  const gateway = await gatewayOver(t, embedded(folder, 'old'));
  const times = Array.from({length: minutes}, (_, i) => START + i * 60);
  const declared = line({record: 'metric', ...DECLARATION});
  const samples = times.map(time =>
    line({record: 'sample', metric: 'cpm', layer: 'GENERAL', service: 'app', time, value: 1}),
  );
  await sendTo(gateway, '/ingest/v1/metrics', declared + samples.join(''));
  await sendTo(gateway, '/api/v2/spans', JSON.stringify(times.map((time, i) => span(i + 1, time))));
  await sendTo(gateway, '/v3/segments', JSON.stringify(times.map((time, i) => segment(`t${i}`, time))));
  await sendTo(gateway, '/v1/traces', otlpBody(times.map((time, i) => otlp(i + 1, time))));
  await gateway.stop();
  return join(folder, 'old');
}

export const configurations = (folder: string) => ({
  from: configFile(folder, 'old', embedded(folder, 'old')),
  to: configFile(folder, 'new', embedded(folder, 'new')),
});

/** Gives folders of a test alone with ten minutes, written once for all tests of a file, beside the two configurations. */
export function smallSources(test: TestFn) {
  const owner = ownerOf(test);
  let tenMinutes: Promise<string> | undefined;
  return async (t: Owner) => {
    const folder = await scratchFolder(t);
    tenMinutes ??= written(owner, 10);
    cpSync(await tenMinutes, join(folder, 'old'), {recursive: true});
    return {folder, ...configurations(folder)};
  };
}

/** Waits until the copy has samples behind it, and waits for its rate. */
export async function untilSamples(state: string): Promise<void> {
  while (!existsSync(state) || !readFileSync(state, 'utf8').includes('"samples": 10')) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
