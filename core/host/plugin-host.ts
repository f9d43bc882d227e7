// First, because the container needs the metadata support that this brings.
import '../api/tokens.js';

import {container, type InjectionToken} from 'tsyringe';
import type {AccessCheck} from '../api/access.js';
import type {CapabilityName, Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {PluginLimits} from '../api/limits.js';
import type {GatewayPlugin} from '../api/plugin.js';
import type {GatewayStatus} from '../api/status.js';
import type {Logger, Meter} from '../api/telemetry.js';
import {ACCESS, config, LIMITS, LOGGER, METER, reader, STATUS} from '../api/tokens.js';
import type {PluginConfig} from '../config/gateway-config.js';
import {missingMethods} from './create-storage.js';

/** What a plugin may have injected beside its own configuration. */
export interface PluginServices {
  readonly log: Logger;
  readonly meter: Meter;
  readonly limits: PluginLimits;
  readonly status: () => Promise<GatewayStatus>;
  readonly access: AccessCheck;
  /** The readers that were granted; an optional one that is not there is a key with the value `undefined`. */
  readonly readers: Readers;
}

export interface ConstructedPlugin {
  readonly made: GatewayPlugin;
  /** Whether it was given the limits, and so has to be made anew when they change. */
  readonly takesLimits: boolean;
}

const MAIN = Symbol('Main');

/** Constructs plugins, each in a container of its own, so that none can reach what another was given. */
export class PluginHost {
  readonly #root = container.createChildContainer();

  construct(plugin: PluginConfig, services: PluginServices): ConstructedPlugin {
    const child = this.#root.createChildContainer();
    // A factory, because a value provider does not take `undefined`.
    const provide = (token: symbol, value: unknown) => child.register(token, {useFactory: () => value});
    provide(LOGGER, services.log);
    provide(METER, services.meter);
    let takesLimits = false;
    child.register(LIMITS, {
      useFactory: () => {
        takesLimits = true;
        return services.limits;
      },
    });
    provide(STATUS, services.status);
    provide(ACCESS, services.access);
    provide(config(), plugin.config);
    for (const [name, value] of Object.entries(services.readers)) provide(reader(name as CapabilityName), value);
    const main = plugin.definition.main as new (...dependencies: unknown[]) => GatewayPlugin;
    child.register(MAIN, {useClass: main});
    let made: GatewayPlugin;
    try {
      made = child.resolve(MAIN as InjectionToken<GatewayPlugin>);
    } catch (error) {
      const hint = 'does it ask for a capability that is neither in "requires" nor in "optional"?';
      const message = `it cannot be constructed: ${(error as Error).message}`;
      throw new GatewayError('internal', /unregistered/.test(message) ? `${message} (${hint})` : message, {
        cause: error,
      });
    }
    checkPlugin(made);
    return {made, takesLimits};
  }
}

/** Whether what the class has made has the methods of a plugin. */
function checkPlugin(made: GatewayPlugin): void {
  const members = made as unknown as Readonly<Record<string, unknown>>;
  const optional = ['start', 'stop', 'drain', 'health'].filter(name => members[name] !== undefined);
  const missing = missingMethods(made, ['routes', ...optional]);
  if (missing !== undefined) throw new GatewayError('internal', `"main" has made ${missing}`);
}
