import {didYouMean} from '../toolkit/messages.js';
import type {Problems} from './config-error.js';
import {ADMIN, listenerSchema} from './envelope.js';
import type {ListenerConfig, PluginConfig} from './gateway-config.js';
import {keyPath} from './key-path.js';
import type {NormalizeContext} from './normalize.js';
import {checkAddresses, listenerSocket, pluginSockets} from './sockets.js';
import {validate} from './validate.js';

/** A plugin and the path of its entry. */
export interface PluginEntry {
  readonly path: string;
  readonly plugin: PluginConfig;
}

/**
 * Every listener that the configuration declares, and those that an enabled plugin brings with it. Keys that are left
 * out come from the first plugin whose own listener it is, else from the first that is mounted there.
 */
export function resolveListeners(
  declared: unknown,
  plugins: readonly PluginEntry[],
  context: NormalizeContext,
): readonly ListenerConfig[] {
  const raw = (typeof declared === 'object' && declared !== null ? declared : {}) as Readonly<Record<string, unknown>>;
  const names = new Set(Object.keys(raw));
  for (const {path, plugin} of plugins) {
    if (plugin.listener === ADMIN) {
      context.problems.add(`${path}.listener`, `found "${ADMIN}", which takes no plugins; expected another listener`);
    } else if (plugin.enabled && plugin.listener === plugin.definition.listener.name) {
      names.add(plugin.listener);
    } else if (plugin.enabled && !names.has(plugin.listener)) {
      const list = [...names].filter(name => name !== ADMIN);
      context.problems.add(
        `${path}.listener`,
        `found "${plugin.listener}", expected a key of "listeners" (${list.join(', ')})${didYouMean(plugin.listener, list)}`,
      );
    }
  }
  const listeners = [...names].map(name => {
    const mounted = plugins
      .filter(({plugin}) => plugin.listener === name)
      .map(({plugin}) => plugin.definition.listener);
    const defaults = mounted.find(listener => listener.name === name) ?? mounted[0];
    const path = keyPath('listeners', name);
    const listener = validate(listenerSchema(name, defaults), raw[name] ?? {}, path, context);
    return {...(listener as Omit<ListenerConfig, 'name'>), name};
  });
  const sound = plugins.filter(({path}) => !context.problems.hasWithin(`${path}.config`));
  const own = sound.flatMap(({path, plugin}) => pluginSockets(plugin, path));
  checkAddresses([...listeners.map(listener => listenerSocket(listener, undefined)), ...own], context.problems);
  return listeners;
}

/** Two plugins may not own the same prefix of one listener. */
export function checkPrefixes(plugins: readonly PluginEntry[], problems: Problems): void {
  const owners = new Map<string, PluginConfig>();
  for (const {path, plugin} of plugins) {
    if (!plugin.enabled) continue;
    const place = `${plugin.listener} ${plugin.prefix}`;
    const owner = owners.get(place);
    if (owner === undefined) owners.set(place, plugin);
    else {
      problems.add(
        `${path}.prefix`,
        `found "${plugin.prefix}", which ${owner.id} owns on the listener "${plugin.listener}"; expected another prefix`,
      );
    }
  }
}
