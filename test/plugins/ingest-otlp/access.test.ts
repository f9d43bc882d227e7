import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {credentials} from '@grpc/grpc-js';
import test from 'ava';
import {TestAuthority} from '../../support/certificates.js';
import {type Owner, scratchFolder} from '../../support/gateway.js';
import {openGateway} from '../../support/library.js';
import {bytesOf} from '../ingest/skywalking/agent-messages.js';
import {protobufOf} from './support/encode.js';
import {EXPORT, exporterTo} from './support/export.js';
import {ADAPTER, newTraceId, spanOf} from './support/receiver.js';

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

const ACCESS = {
  tokens: [
    {name: 'sender', sha256: digest('the-token-of-the-sender'), rights: ['write']},
    {name: 'reader', sha256: digest('the-token-of-the-reader'), rights: ['read']},
  ],
};

const KEEP_ALIVE = '/skywalking.v3.ManagementService/keepAlive';

interface CallOptions {
  readonly address: string;
  readonly ca: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The code with which a call over TLS ends. */
async function call(t: Owner, path: string, body: Buffer, {address, ca, metadata}: CallOptions): Promise<number> {
  const send = exporterTo(t, address, {secured: credentials.createSsl(readFileSync(ca))});
  return (await send(body, {path, metadata})).code;
}

test('senders over gRPC with TLS are asked for the right write; agents of SkyWalking send their token their way', async t => {
  const folder = await scratchFolder(t);
  const authority = new TestAuthority(folder);
  const grpcTls = authority.issue({name: 'localhost', names: ['DNS:localhost', 'IP:127.0.0.1']});
  const config = {grpcListenAddr: '127.0.0.1:0', grpcTls, grpcAccess: true};
  const {urls} = await openGateway(t, {
    access: ACCESS,
    listeners: {otlp: {port: 0}, ingest: {port: 0}},
    storage: {use: ADAPTER},
    plugins: [
      {use: 'ingest-otlp', config},
      {use: 'ingest', config},
    ],
  });
  const otlp = (metadata: CallOptions['metadata']): Promise<number> => {
    const body = protobufOf([spanOf(newTraceId())]);
    return call(t, EXPORT, body, {address: urls.otlpGrpc ?? '', ca: authority.ca, metadata});
  };
  t.is(await otlp({}), 16);
  t.is(await otlp({authorization: 'Bearer something else'}), 16);
  t.is(await otlp({authorization: 'Bearer the-token-of-the-reader'}), 7);
  t.is(await otlp({authorization: 'Bearer the-token-of-the-sender'}), 0);

  const agent = (metadata: CallOptions['metadata']): Promise<number> => {
    const body = bytesOf('InstancePingPkg', {service: 'a', serviceInstance: 'b'});
    return call(t, KEEP_ALIVE, body, {address: urls.ingestGrpc ?? '', ca: authority.ca, metadata});
  };
  t.is(await agent({}), 16);
  t.is(await agent({Authentication: 'the-token-of-the-reader'}), 7);
  t.is(await agent({Authentication: 'the-token-of-the-sender'}), 0);
});
