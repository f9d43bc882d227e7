import {GatewayError} from '../api/errors.js';
import type {Mount} from './mount.js';

/** The mounts below `path` of `owner`, one for each of `others`, under its id. */
export function mirrored(owner: Mount, path: string, others: readonly Mount[]): readonly Mount[] {
  const root = (owner.prefix === '/' ? '' : owner.prefix) + path;
  return others
    .filter(mount => mount !== owner)
    .map(({refusal, ...mount}) => ({
      ...mount,
      prefix: `${root}/${mount.id}`,
      // There, what is not mounted is not there, for whatever reason.
      ...(refusal !== undefined && {refusal: new GatewayError('not_found', refusal.message)}),
    }));
}

/** The part of a mount that is only read. */
export function readOnly(mount: Mount): Mount {
  return {
    ...mount,
    routes: to =>
      mount.routes?.({
        add: (route, handler) => {
          if (route.methods.every(method => method === 'GET')) to.add(route, handler);
        },
      }),
  };
}
