import {type Need, RIGHTS} from '../api/access.js';
import type {GatewayError} from '../api/errors.js';
import type {Handler, RefusedRequest, Reply, Route, Routes} from '../api/http.js';
import {ADMIN} from '../config/envelope.js';
import type {Usage} from '../host/usage.js';
import {listOf, quote} from '../toolkit/messages.js';

/** What owns the paths under a prefix of a listener. */
export interface Mount {
  /** Names it in logs and metrics. */
  readonly id: string;
  /** Begins with a slash and ends with none, but for the root. */
  readonly prefix: string;
  /** As of a plugin's definition. */
  readonly right?: Need | undefined;
  readonly renderError: (error: GatewayError, request?: RefusedRequest) => Reply;
  /** Adds the routes; absent when every path is refused. */
  readonly routes?: (routes: Routes) => void;
  /** Of what answers: counts the requests that are with it, from their headers to the end of the work and the answer. */
  readonly usage?: Usage;
  /** What every path under the prefix answers when there are no routes. */
  readonly refusal?: GatewayError;
}

/** What the callers of a route need; without one, of every other path under the prefix. */
export function needOf({right}: Pick<Mount, 'right'>, route?: Route): Need {
  return route?.right ?? right ?? (route?.work === 'write' ? 'write' : 'read');
}

/** Whether a route answers queries: not what is told of the gateway itself, and nothing that is written. */
export function isQuery(mount: Pick<Mount, 'id' | 'right'>, route: Route): boolean {
  return mount.id !== ADMIN && (route.work ?? 'query') === 'query' && needOf(mount, route) === 'read';
}

/** A route of a mount, with a pattern for its full paths, whose groups are the path's parts. */
export interface MountedRoute {
  readonly route: Route;
  readonly handler: Handler;
  readonly pattern: RegExp;
}

const NEEDS: readonly string[] = [...RIGHTS, 'open'];

export function collectRoutes(mount: Mount): readonly MountedRoute[] {
  const mounted: MountedRoute[] = [];
  const add = (route: Route, handler: Handler) => {
    const pattern = patternOf(mount.prefix, route.path);
    const twin = mounted.find(
      other => withoutNames(other.route.path) === withoutNames(route.path) && sharesMethod(other.route, route),
    );
    if (twin !== undefined) throw new Error(`the plugin ${mount.id} adds the route ${route.path} twice`);
    const need: string = needOf(mount, route);
    if (!NEEDS.includes(need))
      throw new Error(
        `the plugin ${mount.id} adds the route ${route.path} with the right ${quote(need)}, expected ${listOf(NEEDS, 'or')}`,
      );
    mounted.push({route, handler, pattern});
  };
  mount.routes?.({add});
  return mounted;
}

const PART = /^:(\w+)(\+?)$/;

/** A path in the form of the router, which takes several segments only at the end of a path. */
export function routerPath(path: string): string {
  const plus = /\/:\w+\+/.exec(path);
  return plus === null ? path : `${path.slice(0, plus.index)}/*`;
}

/** The decoded parts of a full path of the route, undefined when it is none. Throws where the path cannot be decoded. */
export function partsOf({pattern}: MountedRoute, path: string): Readonly<Record<string, string>> | undefined {
  const groups = pattern.exec(path)?.groups;
  if (groups === undefined) return undefined;
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
}

function withoutNames(path: string): string {
  return path.replace(/:\w+/g, ':');
}

function sharesMethod(a: Route, b: Route): boolean {
  return a.methods.some(method => b.methods.includes(method));
}

function patternOf(prefix: string, path: string): RegExp {
  const full = (prefix === '/' ? '' : prefix) + path;
  const parts = full.split('/').map(part => {
    const [, name, plus] = PART.exec(part) ?? [];
    return name === undefined ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : `(?<${name}>${plus ? '.+' : '[^/]+'})`;
  });
  return new RegExp(`^${parts.join('/')}$`);
}

/** The path with single slashes, and with none at its end. */
export function cleanPath(path: string): string {
  const single = path.replace(/\/{2,}/g, '/');
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}

/** The mount that owns a path: the one with the longest prefix. */
export function ownerOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let owner: Mount | undefined;
  for (const mount of mounts) {
    const {prefix} = mount;
    const owns = prefix === '/' || path === prefix || path.startsWith(`${prefix}/`);
    if (owns && (owner === undefined || prefix.length > owner.prefix.length)) owner = mount;
  }
  return owner;
}
