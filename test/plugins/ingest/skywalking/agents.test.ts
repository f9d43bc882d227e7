import {fileURLToPath} from 'node:url';
import test from 'ava';
import {type Owner, type RunningGateway, runNode, scratchFolder, startGateway} from '../../../support/gateway.js';
import {ask, get} from '../../../support/http.js';

const SERVICE = fileURLToPath(new URL('../../../fixtures/skywalking-service.js', import.meta.url));

async function start(t: Owner): Promise<RunningGateway> {
  const folder = await scratchFolder(t);
  const config = {
    listeners: {traces: {host: '127.0.0.1', port: 0}, ingest: {port: 0}, metrics: {port: 0}},
    storage: {use: 'embedded', config: {path: `${folder}/data`}},
    plugins: [
      {use: 'traceql-native', enabled: true},
      {use: 'promql-subset'},
      {use: 'ingest', config: {grpcListenAddr: '127.0.0.1:0'}},
    ],
  };
  return startGateway(t, {config, folder});
}

/** Starts the service, which asks the next one if there is one, and gives its URL. */
async function startService(t: Owner, name: string, collector: string, next?: string): Promise<string> {
  const service = runNode(t, [SERVICE, name, collector, ...(next === undefined ? [] : [next])]);
  for (;;) {
    // The agent logs to the same place.
    const url = service.stdout.find(line => line.startsWith('http://'));
    if (url !== undefined) return url;
    if (service.process.exitCode !== null) throw new Error(service.stderr.join('\n'));
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

interface Found {
  readonly traceID: string;
  readonly rootServiceName: string;
  readonly rootTraceName: string;
}

test('a request through four services with unmodified agents is found as one trace of four services', async t => {
  const gateway = await start(t);
  const collector = gateway.urls.ingestGrpc ?? '';
  const names = ['gate', 'orders', 'stock', 'prices'];
  let next: string | undefined;
  for (const name of [...names].reverse()) next = await startService(t, name, collector, next);
  const answer = await ask(`${next}/buy`);
  t.is(answer.text, 'gate > orders > stock > prices');

  // Each agent sends when it likes.
  for (;;) {
    const {traces} = (
      await get(`${gateway.urls.traces}/native/api/search`, {q: '{resource.service.name="prices"}'})
    ).json<{traces: Found[]}>();
    const [found] = traces;
    if (found !== undefined) {
      const trace = await get(`${gateway.urls.traces}/native/api/v2/traces/${found.traceID}`);
      const services = new Set(
        // A name alone may be that of who called: what he has sent may come later.
        [...trace.text.matchAll(/"key":"service.name","value":\{"stringValue":"([a-z]+)"/g)].map(([, name]) => name),
      );
      if (services.size === names.length) {
        t.is(found.rootServiceName, 'gate');
        t.is(found.rootTraceName, 'GET:/buy');
        t.true(trace.text.includes('/from-stock'), trace.text);
        break;
      }
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  t.deepEqual(
    gateway.log.filter(({level}) => level === 'error' || level === 'warn').map(({msg}) => msg),
    [],
  );
});
