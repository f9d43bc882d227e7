import {GatewayError} from '../../../core/api/adapter.js';
import {quote} from '../../../core/toolkit/messages.js';
import type {Group} from '../proto/methods.js';

/** The groups of a deployment by what they hold. A group that is missing is undefined. */
export interface Layout {
  readonly minute: string | undefined;
  readonly hour: string | undefined;
  readonly day: string | undefined;
  readonly metadata: string | undefined;
  readonly records: string | undefined;
  readonly trace: string | undefined;
  readonly zipkin: string | undefined;
}

type Part = keyof Layout;

const PARTS: readonly Part[] = ['minute', 'hour', 'day', 'metadata', 'records', 'trace', 'zipkin'];

/** Since OAP 10.3, after the namespace. */
const NAMES: Readonly<Record<Part, string>> = {
  minute: 'metricsMinute',
  hour: 'metricsHour',
  day: 'metricsDay',
  metadata: 'metadata',
  records: 'records',
  trace: 'trace',
  zipkin: 'zipkinTrace',
};

/** Of OAP 10.2, which knew no namespaces; its traces are streams, which are not read. */
const OLD_NAMES: Readonly<Record<Part, string | undefined>> = {
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  metadata: 'index',
  records: 'normal',
  trace: undefined,
  zipkin: undefined,
};

const CATALOGS: Readonly<Record<Part, Group['catalog']>> = {
  minute: 'CATALOG_MEASURE',
  hour: 'CATALOG_MEASURE',
  day: 'CATALOG_MEASURE',
  metadata: 'CATALOG_MEASURE',
  records: 'CATALOG_STREAM',
  trace: 'CATALOG_TRACE',
  zipkin: 'CATALOG_TRACE',
};

/** The groups of the namespace, or else those without one. Fails where there is nothing of either, naming what there is. */
export function findLayout(groups: readonly Group[], namespace: string): Layout {
  const catalogs = new Map(groups.map(({metadata, catalog}) => [metadata?.name ?? '', catalog]));
  const find = (nameOf: (part: Part) => string | undefined): Layout => {
    const named = (part: Part): string | undefined => {
      const name = nameOf(part);
      return name !== undefined && catalogs.get(name) === CATALOGS[part] ? name : undefined;
    };
    return {
      minute: named('minute'),
      hour: named('hour'),
      day: named('day'),
      metadata: named('metadata'),
      records: named('records'),
      trace: named('trace'),
      zipkin: named('zipkin'),
    };
  };
  const isEmpty = (layout: Layout): boolean => PARTS.every(part => layout[part] === undefined);
  const layout = find(part => groupName(namespace, part));
  if (!isEmpty(layout)) return layout;
  const old = find(part => OLD_NAMES[part]);
  if (old.minute !== undefined && old.metadata !== undefined) return old;
  throw new GatewayError('storage_failed', nothingFound(catalogs, namespace));
}

const groupName = (namespace: string, part: Part): string =>
  namespace === '' ? NAMES[part] : `${namespace}_${NAMES[part]}`;

/** The names that groups of the namespace should have and that are missing. */
export function missingGroups(layout: Layout, namespace: string, parts: readonly Part[]): readonly string[] {
  return parts.filter(part => layout[part] === undefined).map(part => groupName(namespace, part));
}

function nothingFound(catalogs: ReadonlyMap<string, Group['catalog']>, namespace: string): string {
  const suffix = `_${NAMES.metadata}`;
  const namespaces = [...catalogs]
    .filter(([name, catalog]) => name.endsWith(suffix) && catalog === 'CATALOG_MEASURE')
    .map(([name]) => name.slice(0, -suffix.length))
    .sort();
  if (catalogs.get(NAMES.metadata) === 'CATALOG_MEASURE') namespaces.unshift('"" (none)');
  const found = namespaces.length === 0 ? 'no namespace was found' : `found: ${namespaces.join(', ')}`;
  return `the namespace ${quote(namespace)} has no group ${groupName(namespace, 'minute')} in BanyanDB; ${found}; set the option namespace`;
}
