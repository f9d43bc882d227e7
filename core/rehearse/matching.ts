import {cleanPath} from '../http/mount.js';
import type {AskedQuestion} from './asked-question.js';
import type {QueryRoute} from './stage.js';
import type {RecordedRequest} from './traffic/recorded-request.js';

/**
 * The questions that a recorded request is: one, or one for each plugin that has the path where the file does not tell
 * which was asked, as behind the proxy of a dashboard. None where it is no query of any plugin.
 */
export function questionsOf(request: RecordedRequest, routes: readonly QueryRoute[]): readonly AskedQuestion[] {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method !== 'GET' && method !== 'POST') return [];
  const {plugin, parameters, accept} = request;
  const own = plugin === undefined ? routes : routes.filter(route => route.plugin.id === plugin);
  const candidates = own.filter(({route}) => route.methods.includes(method));
  return placesOf(cleanPath(request.path), candidates).map(({at: {route, plugin: owner}, path}) => ({
    plugin: owner.id,
    owner,
    route,
    method,
    path,
    parameters,
    accept,
  }));
}

interface Place {
  readonly at: QueryRoute;
  readonly path: string;
}

/** Under the prefixes of the configuration; else under whatever prefix, the shortest that leaves a path of a plugin. */
function placesOf(path: string, routes: readonly QueryRoute[]): readonly Place[] {
  const exact = routes.flatMap(at => {
    const {prefix} = at.plugin;
    if (prefix !== '/' && !path.startsWith(`${prefix}/`)) return [];
    const inner = prefix === '/' ? path : path.slice(prefix.length);
    return at.pattern.test(inner) ? [{at, path: inner}] : [];
  });
  // Where one prefix is within another, the longer one owns the path.
  const longest = Math.max(...exact.map(({at}) => at.plugin.prefix.length));
  if (exact.length > 0) return onePerPlugin(exact.filter(({at}) => at.plugin.prefix.length === longest));
  for (let from = 0; from >= 0; from = path.indexOf('/', from + 1)) {
    const inner = path.slice(from);
    const found = routes.filter(({pattern}) => pattern.test(inner)).map(at => ({at, path: inner}));
    if (found.length > 0) return onePerPlugin(found);
  }
  return [];
}

function onePerPlugin(places: readonly Place[]): readonly Place[] {
  return places.filter(({at}, i) => places.findIndex(other => other.at.plugin.id === at.plugin.id) === i);
}
