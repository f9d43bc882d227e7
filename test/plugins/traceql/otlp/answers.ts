import type {TestFn} from 'ava';
import {request} from 'undici';
import {scratchFolder} from '../../../support/gateway.js';
import {ask} from '../../../support/http.js';
import {serveHere} from '../../../support/library.js';
import {decodeTrace, decodeTraceByIdResponse} from '../../../support/otlp-protobuf.js';

/** What was reported, and how it is read back. */
interface Reported {
  /** The path of the ingest listener, and what it answers. */
  readonly path: string;
  readonly status: number;
  readonly body: string;
  readonly prefix: '/compat' | '/native';
}

interface Answers {
  /** A trace by its public id in all four forms: both versions, each as JSON and as protobuf read by another decoder. */
  readonly read: (id: string) => Promise<readonly unknown[]>;
}

/** A gateway with its own storage that has taken a report, shared by the tests of one file. */
export function withReported(test: TestFn, {path, status, body, prefix}: Reported): Answers {
  const teardowns: (() => unknown)[] = [];
  let base = '';
  test.before(async () => {
    const owner = {teardown: (end: () => unknown) => void teardowns.push(end)};
    const folder = await scratchFolder(owner);
    const {urls} = await serveHere(owner, {folder, config: configIn(folder)});
    base = `${urls.traces}${prefix}`;
    const taken = await ask(`${urls.ingest}${path}`, {method: 'POST', body});
    if (taken.status !== status) throw new Error(`${taken.status} ${taken.text}`);
  });
  test.after.always(async () => {
    for (const end of teardowns.reverse()) await end();
  });
  return {
    read: async id => [
      JSON.parse(Buffer.from(await bytesOf(`${base}/api/traces/${id}`, 'application/json')).toString()),
      JSON.parse(Buffer.from(await bytesOf(`${base}/api/v2/traces/${id}`, 'application/json')).toString()),
      decodeTrace(await bytesOf(`${base}/api/traces/${id}`, 'application/protobuf')),
      decodeTraceByIdResponse(await bytesOf(`${base}/api/v2/traces/${id}`, 'application/protobuf')),
    ],
  };
}

function configIn(folder: string): object {
  const listener = {host: '127.0.0.1', port: 0};
  return {
    listeners: {traces: listener, ingest: listener},
    storage: {use: 'embedded', config: {path: `${folder}/data`}},
    plugins: [
      {use: 'traceql-compat', enabled: true},
      {use: 'traceql-native', enabled: true},
      {use: 'ingest', enabled: true},
    ],
  };
}

async function bytesOf(url: string, accept: string): Promise<Uint8Array> {
  const {statusCode, headers, body} = await request(url, {headers: {accept}});
  const bytes = new Uint8Array(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`${statusCode} ${Buffer.from(bytes).toString()}`);
  const type = accept === 'application/json' ? 'application/json; charset=utf-8' : accept;
  if (headers['content-type'] !== type) throw new Error(`the type of ${url} is ${headers['content-type']}`);
  return bytes;
}
