import {GatewayError} from '../api/errors.js';
import type {Generation} from '../host/generation.js';
import {disabledMessage} from '../host/status.js';
import {mirrored, readOnly} from './mirror.js';
import type {Mount} from './mount.js';

interface Mounted {
  readonly listener: string;
  readonly isOn: boolean;
  readonly mount: Mount;
  /** Where it has the others mounted a second time, if it has. */
  readonly mirror: string | undefined;
}

/** What the plugins of a generation have on a listener. `own` is what the gateway has on its own. */
export function pluginMounts(generation: Generation, listener: string, own: Mount): readonly Mount[] {
  const all = mountsOf(generation);
  const here = all.filter(mounted => mounted.listener === listener);
  const mounts = all.map(({mount}) => mount);
  // What the page of one plugin shows of the others.
  const mirrors = here.flatMap(({isOn, mount, mirror}) => {
    const isOwner = isOn && mirror !== undefined && mount.routes !== undefined;
    return isOwner ? mirrored(mount, mirror, [...mounts, readOnly(own)]) : [];
  });
  return [...here.map(({mount}) => mount), ...mirrors];
}

/** Those that are on come first, so that a prefix of theirs stays their own. */
function mountsOf({config, plugins}: Generation): readonly Mounted[] {
  const all = config.plugins.flatMap((entry, at): Mounted[] => {
    const plugin = plugins[at];
    if (plugin === undefined) return [];
    const {id, definition, prefix, enabled, listener} = entry;
    const {renderError, mirror, right} = definition;
    const off = new GatewayError('not_found', disabledMessage(entry, `plugins[${at}]`));
    const refusal = enabled ? plugin.refusal : off;
    const serves = refusal === undefined ? {routes: plugin.routes.bind(plugin)} : {refusal};
    return [{listener, isOn: enabled, mirror, mount: {id, prefix, right, renderError, usage: plugin.usage, ...serves}}];
  });
  return [...all.filter(({isOn}) => isOn), ...all.filter(({isOn}) => !isOn)];
}
