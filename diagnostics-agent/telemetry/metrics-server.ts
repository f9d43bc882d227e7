import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {GatewayError} from '../../core/api/errors.js';
import {reasonOf} from '../error-reason.js';
import type {AgentMetrics} from './agent-metrics.js';

const STOP_MS = 5000;
const HEADERS_TIMEOUT_MS = 3000;
/** As the proxy says it. */
const TAKEN = 'another process or listener has that address (EADDRINUSE); choose another port, or 0 for any free one';
const TEXT = 'text/plain; charset=utf-8';

export interface ListenAddress {
  /** Empty for every address of the machine. */
  readonly host: string;
  readonly port: number;
}

/** Serves the agent's own metrics at `/metrics`. */
export class MetricsServer {
  readonly #server: Server;

  constructor(metrics: AgentMetrics) {
    this.#server = createServer({headersTimeout: HEADERS_TIMEOUT_MS}, (request, response) => {
      const path = request.url?.split('?')[0];
      if (path !== '/metrics') {
        response.writeHead(404, {'content-type': TEXT}).end('not found; the metrics are at /metrics\n');
      } else if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, {'content-type': TEXT, allow: 'GET, HEAD'}).end('method not allowed; use GET\n');
      } else {
        metrics.registry.metrics().then(
          page => response.writeHead(200, {'content-type': metrics.registry.contentType}).end(page),
          error => response.writeHead(500, {'content-type': TEXT}).end(`${reasonOf(error)}\n`),
        );
      }
    });
  }

  /** Opens the address and gives its URL, with the real port. */
  async listen({host, port}: ListenAddress): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => {
        const reason = error.code === 'EADDRINUSE' ? TAKEN : reasonOf(error);
        reject(new GatewayError('internal', `--prometheus-listen-addr cannot open ${host}:${port}: ${reason}`));
      };
      this.#server.once('error', failed);
      this.#server.listen({port, ...(host === '' ? {} : {host})}, () => {
        this.#server.off('error', failed);
        resolve();
      });
    });
    const {port: real} = this.#server.address() as AddressInfo;
    return `http://${reachable(host)}:${real}`;
  }

  /** Lets requests under way end, for a while. */
  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), STOP_MS);
    await closed;
    clearTimeout(timer);
  }
}

/** A host for a URL: this machine's own where every address is listened on. */
function reachable(host: string): string {
  if (host === '' || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
