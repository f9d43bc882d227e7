import {GatewayError, type GatewayStatus, type HttpRequest, type Reply, type Routes} from '../../../core/api/plugin.js';
import type {Bundle} from './bundle.js';
import {baseOf, page, withSlash} from './page.js';
import {metricList, type TopologyReaders, topologyOf} from './topology.js';

/** What the pages have as addresses; what each shows is told in the browser. */
const PAGES = ['/', '/query', '/traces', '/traces/:source/:id', '/services', '/services/:layer/:service', '/fleet'];

export function consoleRoutes(
  routes: Routes,
  bundle: Bundle,
  status: () => Promise<GatewayStatus>,
  readers: TopologyReaders,
): void {
  const get = (path: string, handler: (request: HttpRequest) => Reply | Promise<Reply>) =>
    routes.add({methods: ['GET'], path, work: 'light'}, handler);
  for (const path of PAGES) {
    get(path, ({target, path: values}) => {
      const location = path === '/' ? withSlash(target) : undefined;
      if (location === undefined) return page(bundle, baseOf(path, target, Object.values(values).at(-1)));
      return {status: 307, headers: {location, 'cache-control': 'no-store'}, body: ''};
    });
  }
  get('/assets/:file', request => asset(bundle, request));
  get('/api/console/overview', async ({caller}) => {
    const mayAll = caller === undefined || caller.rights.includes('admin');
    return json({mayAll, ...overview(await status())});
  });
  const query = (path: string, answer: (request: HttpRequest) => Promise<unknown>) =>
    routes.add({methods: ['GET'], path}, async request => json(await answer(request)));
  query('/api/console/topology', request => topologyOf(readers, request.parameters, request));
  query('/api/console/metrics', request => metricList(readers, request.parameters, request));
}

function asset({files}: Bundle, {path, headers}: HttpRequest): Reply {
  const name = path.file ?? '';
  const file = files.get(name);
  if (file === undefined) throw new GatewayError('not_found', `no such file of the console: ${name}`);
  const {type, body, gzip} = file;
  const isCompressed = takesGzip(headers['accept-encoding']);
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(isCompressed && {'content-encoding': 'gzip'}),
    },
    body: isCompressed ? gzip : body,
  };
}

/** Whether a client takes gzip. One that weighs its encodings gets it too, unless it weighs it with zero. */
function takesGzip(header: string | readonly string[] | undefined): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',');
  return codings.some(coding => /^\s*(x-)?gzip\s*(;|$)/.test(coding) && !/q\s*=\s*0(\.0*)?\s*$/.test(coding));
}

function json(value: unknown): Reply {
  return {status: 200, headers: {'cache-control': 'no-store'}, body: JSON.stringify(value)};
}

/** What whoever may read may know: not what components tell of failures, which can cite addresses and clients. */
function overview({gateway, storage, plugins}: GatewayStatus): object {
  return {
    gateway,
    storage: storage && {
      name: storage.name,
      version: storage.version,
      state: storage.state,
      capabilities: storage.capabilities,
    },
    plugins: plugins.map(({name, version, state, message, listener, prefix, requires}) => ({
      name,
      version,
      state,
      message: state === 'disabled' ? message : undefined,
      listener,
      prefix,
      requires,
    })),
  };
}
