import type {ExecutionContext} from 'ava';
import {type RunningGateway, startGateway} from '../support/gateway.js';
import {sendRecords} from './dataset.js';

/** The real program over the embedded storage, holding the records of `dataset.ts`. */
export async function startWithRecords(t: ExecutionContext): Promise<RunningGateway> {
  const address = {host: '127.0.0.1', port: 0};
  const gateway = await startGateway(t, {
    config: {
      listeners: {metrics: address, ingest: address},
      storage: {use: 'embedded', config: {path: './data'}},
      plugins: [{use: 'promql-subset'}, {use: 'ingest'}],
    },
  });
  await sendRecords(gateway.urls.ingest ?? '');
  return gateway;
}
