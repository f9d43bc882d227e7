import {Client, credentials, Metadata, type ServiceError, status} from '@grpc/grpc-js';
import test, {type ExecutionContext} from 'ava';
import type {Verdict} from '../../../../core/api/access.js';
import {GatewayError} from '../../../../core/api/errors.js';
import {PluginPorts} from '../../../../core/http/plugin-ports.js';
import {AccessGuard} from '../../../../core/toolkit/grpc/access-guard.js';
import {GrpcServer} from '../../../../core/toolkit/grpc/grpc-server.js';

const asBytes = (bytes: Buffer): Buffer => bytes;
const codec = {
  requestSerialize: asBytes,
  requestDeserialize: asBytes,
  responseSerialize: asBytes,
  responseDeserialize: asBytes,
};
const METHOD = {...codec, path: '/test.Echo/Say', requestStream: false, responseStream: false};
const quiet = (): void => undefined;
const log = {debug: quiet, info: quiet, warn: quiet, error: quiet};
const nothing = {with: () => ({add: quiet, set: quiet, observe: quiet})};
const meter = {counter: () => nothing, gauge: () => nothing, histogram: () => nothing};

const LIMIT = 1000;

/** A server that says what it is told, to whoever `check` lets in, and how often its handler was asked. */
async function echo(
  t: ExecutionContext,
  check: (header: string | undefined) => Verdict | undefined | Promise<Verdict>,
) {
  const access = {check, onChange: () => quiet};
  const guard = new AccessGuard({access, right: 'write', socket: 'test', log, meter});
  const server = new GrpcServer({maxMessageSize: LIMIT, log, guard});
  let asked = 0;
  server.add(
    {Say: METHOD},
    {
      Say: (call: {request: Buffer}, answer: (error: null, bytes: Buffer) => void) => {
        asked++;
        answer(null, call.request);
      },
    },
  );
  const address = await server.listen('test', {host: '127.0.0.1', port: 0}, new PluginPorts().of('test'));
  const client = new Client(address, credentials.createInsecure());
  t.teardown(async () => {
    client.close();
    await server.stop();
  });
  const say = (headers: Readonly<Record<string, string>>, bytes = 10): Promise<string | ServiceError> => {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return new Promise(resolve => {
      client.makeUnaryRequest(METHOD.path, asBytes, asBytes, Buffer.alloc(bytes, 'a'), metadata, (error, answer) =>
        resolve(error ?? String(answer)),
      );
    });
  };
  return {say, asked: () => asked};
}

const known = (...rights: readonly ('read' | 'write')[]): Verdict => ({name: 'sender', rights});

interface Refused {
  readonly title: string;
  readonly check: () => Verdict | Promise<Verdict>;
  readonly code: status;
  readonly details: RegExp;
}

const REFUSED: readonly Refused[] = [
  {
    title: 'who shows nothing',
    check: () => 'missing',
    code: status.UNAUTHENTICATED,
    details: /^this call asks for credentials; expected the metadata "authorization"/,
  },
  {title: 'whom nobody knows', check: () => 'wrong', code: status.UNAUTHENTICATED, details: /are not known$/},
  {
    title: 'who may do something else',
    check: () => known('read'),
    code: status.PERMISSION_DENIED,
    details: /^"sender" lacks the right "write"$/,
  },
  {
    title: 'who comes while too many checks wait',
    check: () => Promise.reject(new GatewayError('overloaded', 'too many checks wait')),
    code: status.UNAVAILABLE,
    details: /^too many checks wait$/,
  },
];

for (const {title, check, code, details} of REFUSED) {
  test(`${title} is refused before the message counts, however large it is`, async t => {
    const {say, asked} = await echo(t, check);
    for (const bytes of [10, 2 * LIMIT]) {
      const error = (await say({authorization: 'Bearer abc'}, bytes)) as ServiceError;
      t.is(error.code, code);
      t.regex(error.details, details);
    }
    t.is(asked(), 0);
  });
}

test('who has the right is answered, and only then the message is measured', async t => {
  const headers: (string | undefined)[] = [];
  const {say} = await echo(t, async header => {
    headers.push(header);
    return known('read', 'write');
  });
  t.is(await say({authorization: 'Bearer abc'}), 'a'.repeat(10));
  t.is(((await say({}, 2 * LIMIT)) as ServiceError).code, status.RESOURCE_EXHAUSTED);
  t.deepEqual(headers, ['Bearer abc', undefined]);
});

test('nobody is asked where the configuration knows nobody', async t => {
  const {say} = await echo(t, () => undefined);
  t.is(await say({}), 'a'.repeat(10));
});
