import {createHash} from 'node:crypto';
import {join} from 'node:path';
import test from 'ava';
import type {Call, CompatSpan, Readers} from '../../../core/api/adapter.js';
import {builtins} from '../../../core/cli/builtins.js';
import {withStorage} from '../../../core/cli/with-storage.js';
import {loadConfig} from '../../../core/config/load.js';
import {throughGateway} from '../../../core/remote/through-gateway.js';
import {LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {type Owner, scratchFolder, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';

const TOKEN = 'of-somebody-with-the-right-admin';
const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
const ACCESS = {
  tokens: [
    {name: 'ops', sha256: digest(TOKEN), rights: ['admin']},
    {name: 'sender', sha256: digest('writes'), rights: ['read', 'write']},
  ],
};

const silence = (): void => undefined;
const call: Call = {
  signal: new AbortController().signal,
  log: {debug: silence, info: silence, warn: silence, error: silence},
};

const span = (id: number): CompatSpan => ({
  traceId: id.toString(16).padStart(16, '0'),
  id: '1111111111111111',
  timestamp: 1_700_000_040_000_000 + id,
  annotations: [],
  tags: new Map([['ü', 'é']]),
});

/** A gateway over a folder, and the configuration by which a command finds it. */
async function holder(t: Owner, {admin = {}, access}: {readonly admin?: object; readonly access?: object} = {}) {
  const folder = await scratchFolder(t);
  const storage = {use: 'embedded', config: {path: join(folder, 'data')}};
  const own = access === undefined ? {} : {access};
  const config = (port: number) => ({...own, listeners: {admin: {port, ...admin}}, storage, plugins: []});
  const gateway = await startGateway(t, {config: config(0), folder});
  const port = Number(new URL(gateway.urls.admin ?? '').port);
  return {gateway, storage, config: config(port), folder};
}

type Holder = Awaited<ReturnType<typeof holder>>;
const owner = ownerOf(test);
/** For all tests that want nothing else; what they write is the same. */
let open: Holder;
/** One that knows who asks. */
let guarded: Holder;

test.before(async () => {
  [open, guarded] = await Promise.all([holder(owner), holder(owner, {access: ACCESS})]);
});

async function use<T>(value: object, token: string | undefined, work: (readers: Readers) => Promise<T>): Promise<T> {
  const config = await loadConfig({value, folder: '/'}, builtins, {});
  return withStorage(throughGateway(config, token), work);
}

async function roundTrip(readers: Readers): Promise<readonly string[]> {
  const spans = Array.from({length: 3}, (_, i) => span(i));
  await readers['ingest.compat.v1']?.write(spans, call);
  const found: CompatSpan[] = [];
  for await (const {content} of readers['export.compat.v1']?.pages({}, call) ?? []) found.push(...content);
  const tags = found.map(({tags}) => [...tags].join());
  return [...found.map(({traceId}) => traceId).sort(), ...new Set(tags)];
}

const ROUND_TRIP = [span(0), span(1), span(2)].map(({traceId}) => traceId).concat('ü,é');

test('a folder that a gateway has open is read and written through that gateway', async t => {
  t.deepEqual(await use(open.config, undefined, roundTrip), ROUND_TRIP);
});

test('over TLS the certificate is the one that the configuration names, whoever has signed it', async t => {
  const files = await scratchFolder(t);
  const tls = new TestAuthority(files).issue({name: 'any', names: ['DNS:elsewhere']});
  const other = new TestAuthority(files, 'other').issue({name: 'any', names: LOCAL_NAMES});
  const {config} = await holder(t, {admin: {tls}, access: ACCESS});
  t.deepEqual(await use(config, TOKEN, roundTrip), ROUND_TRIP);
  const wrong = {...config, listeners: {admin: {...config.listeners.admin, tls: other}}};
  await t.throwsAsync(use(wrong, TOKEN, roundTrip), {message: /cannot be asked: .*certificate/});
});

const REFUSALS: readonly {
  readonly title: string;
  readonly access?: typeof ACCESS;
  readonly token?: string;
  readonly change?: (config: object, elsewhere: string) => object;
  readonly message: RegExp;
}[] = [
  {
    title: 'without a token',
    access: ACCESS,
    message: /held by process \d+; .* answers 401: .*; expected in QUERY_GATEWAY_TOKEN a token with the right admin/,
  },
  {
    title: 'with a token without the right',
    access: ACCESS,
    token: 'writes',
    message: /answers 403: .*QUERY_GATEWAY_TOKEN/,
  },
  {
    title: 'when the configuration has no admin listener',
    change: ({listeners: _, ...rest}: {readonly listeners?: unknown}) => rest,
    message: /held by process \d+; .*the configuration has no "listeners.admin"$/,
  },
  {
    title: 'when its port is in no file',
    change: config => ({...config, listeners: {admin: {port: 0}}}),
    message: /held by process \d+; .*"listeners.admin.port" as 0$/,
  },
  {
    title: 'when nobody listens there',
    change: config => ({...config, listeners: {admin: {port: 1}}}),
    message: /held by process \d+; .*http:\/\/127\.0\.0\.1:1 cannot be asked: .*ECONNREFUSED/,
  },
  {
    title: 'when the gateway there has another folder open',
    change: (config, admin) => ({...config, listeners: {admin: {port: Number(new URL(admin).port)}}}),
    message: /held by process \d+; .* answers 404: this gateway does not have "the folder [^"]+" open$/,
  },
];

for (const {title, access, token, change, message} of REFUSALS) {
  test(`a held folder is not opened ${title}`, async t => {
    const {config} = access === undefined ? open : guarded;
    const elsewhere = change?.length === 2 ? (await holder(t)).gateway.urls.admin : '';
    const wrong = change === undefined ? config : change(config, elsewhere ?? '');
    await t.throwsAsync(use(wrong, token, roundTrip), {code: 'storage_failed', message});
  });
}

test('a body that is no call is refused', async t => {
  const {gateway} = open;
  for (const body of ['', 'x', 'long enough for a frame', new Uint8Array([1, 0, 0, 0, 0])]) {
    const {status, text} = await ask(`${gateway.urls.admin}/-/storage/read`, {method: 'POST', body});
    t.is(status, 400, text);
  }
});

test('what a reader refuses is refused to the command in its words', async t => {
  const pages = async (readers: Readers): Promise<void> => {
    for await (const _ of readers['export.compat.v1']?.pages({after: 'nowhere'}, call) ?? []) t.fail();
  };
  await t.throwsAsync(use(open.config, undefined, pages), {
    code: 'bad_request',
    message: /^after is no place in the export/,
  });
});
