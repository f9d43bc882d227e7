import test from 'ava';
import {type Owner, type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {ask, get} from '../../support/http.js';
import {protobufOf} from './support/encode.js';
import {exporterTo} from './support/export.js';
import {newTraceId, spanOf} from './support/receiver.js';

const SPANS = 20;
const SENDERS = 6;

/** Before the gateway is killed. */
const ACKNOWLEDGED = 120;

const bodyOf = (traceId: string): Buffer =>
  protobufOf(
    Array.from({length: SPANS}, (_, at) =>
      spanOf(traceId, {spanId: (at + 1).toString(16).padStart(16, '0'), startTime: BigInt(Date.now()) * 1_000_000n}),
    ),
  );

type Send = (body: Buffer) => Promise<boolean>;

const overHttp =
  (gateway: RunningGateway): Send =>
  async body => {
    const headers = {'content-type': 'application/x-protobuf'};
    const answer = await ask(`${gateway.urls.otlp}/v1/traces`, {method: 'POST', headers, body});
    return answer.status === 200;
  };

function overGrpc(t: Owner, gateway: RunningGateway): Send {
  const send = exporterTo(t, gateway.urls.otlpGrpc ?? '');
  return async body => (await send(body)).code === 0;
}

test('of a gateway that is killed while it stores, nothing acknowledged is lost and nothing is doubled', async t => {
  const folder = await scratchFolder(t);
  const config = {
    listeners: {otlp: {port: 0}, traces: {host: '127.0.0.1', port: 0}},
    storage: {use: 'embedded', config: {path: `${folder}/data`}},
    plugins: [
      {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
      {use: 'traceql-otlp', enabled: true},
    ],
  };
  const first = await startGateway(t, {config, folder});
  const sent: string[] = [];
  const acknowledged: string[] = [];
  const send = async (take: Send): Promise<void> => {
    for (let isAlive = true; isAlive; ) {
      const id = newTraceId();
      sent.push(id);
      isAlive = await take(bodyOf(id)).catch(() => false);
      if (isAlive) acknowledged.push(id);
      if (acknowledged.length >= ACKNOWLEDGED) first.process.kill('SIGKILL');
    }
  };
  await Promise.all(
    Array.from({length: SENDERS}, (_, at) => send(at % 2 === 0 ? overHttp(first) : overGrpc(t, first))),
  );
  await first.exit;
  t.true(acknowledged.length >= ACKNOWLEDGED);

  const second = await startGateway(t, {config, folder});
  const spansOf = async (id: string): Promise<number> => {
    const {status, text} = await get(`${second.urls.traces}/otlp/api/v2/traces/${id}`);
    return status === 200 ? [...text.matchAll(/"spanId":/g)].length : 0;
  };
  for (const id of acknowledged) t.is(await spansOf(id), SPANS, id);
  // What was not acknowledged is stored whole, or not at all.
  for (const id of sent) t.true([0, SPANS].includes(await spansOf(id)), id);
  const resend = overHttp(second);
  for (const id of sent) t.true(await resend(bodyOf(id)));
  for (const id of sent) t.is(await spansOf(id), SPANS, id);
});
