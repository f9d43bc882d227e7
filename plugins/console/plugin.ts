import {
  type GatewayPlugin,
  type GatewayStatus,
  injectable,
  type PluginDefinition,
  type Routes,
  STATUS,
  use,
} from '../../core/api/plugin.js';
import {type Bundle, readBundle} from './http/bundle.js';
import {renderError} from './http/errors.js';
import {consoleRoutes} from './http/routes.js';

@injectable()
class Console implements GatewayPlugin {
  readonly #status: () => Promise<GatewayStatus>;
  #bundle: Bundle | undefined;

  constructor(@use(STATUS) status: () => Promise<GatewayStatus>) {
    this.#status = status;
  }

  async start(): Promise<undefined> {
    this.#bundle = await readBundle();
  }

  routes(routes: Routes): void {
    if (this.#bundle !== undefined) consoleRoutes(routes, this.#bundle, this.#status);
  }
}

/** Pages in a browser that show what the gateway's other plugins answer. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'console',
  requires: [],
  configSchema: {type: 'object', properties: {}, additionalProperties: false},
  listener: {name: 'console', host: '127.0.0.1', port: 9470, prefix: '/'},
  mirror: '/api',
  renderError,
  main: Console,
} satisfies PluginDefinition;
