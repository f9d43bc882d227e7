import {GatewayError, type Logger} from '../../../core/api/adapter.js';
import {quote} from '../../../core/toolkit/messages.js';
import type {BanyanDBConnection} from '../client/connection.js';
import {isUnimplemented} from '../client/grpc-error.js';
import {GetAPIVersion, groups, traces} from '../proto/methods.js';
import {findLayout, type Layout, missingGroups} from './layout.js';

/** What a server is and has. */
export interface Deployment {
  readonly version: string;
  readonly layout: Layout;
  readonly hasMetrics: boolean;
  readonly hasNativeTraces: boolean;
  readonly hasCompatTraces: boolean;
}

const SEGMENT = 'segment';
const ZIPKIN_SPAN = 'zipkin_span';
/** The newest version that was looked at; later ones are taken to be alike. */
const NEWEST = 11;
/** The first that has traces, and the first whose searches find all that match. */
const WITH_TRACES = 9;
const WITH_WHOLE_SEARCHES = 10;
const LOSING =
  'searches of BanyanDB 0.9 leave out traces that match and do not say so; upgrade it to 0.10 or later, whose traces are read';

/** Looks at the version, the groups and the schemas of traces. A version alone proves nothing: some servers say an older one. */
export async function inspectDeployment(
  connection: BanyanDBConnection,
  namespace: string,
  log: Logger,
  signal: AbortSignal,
): Promise<Deployment> {
  const version = await apiVersion(connection, signal);
  const minor = minorOf(version);
  if (minor === undefined || minor > NEWEST) {
    log.warn('the server is newer than any that was tried', {version, newest: `0.${NEWEST}`});
  }
  const {group} = await connection.call(groups.List, {}, signal);
  const layout = findLayout(group, namespace);
  const canHaveTraces = minor === undefined || minor >= WITH_WHOLE_SEARCHES;
  const hasTrace = async (name: string, of: string | undefined): Promise<boolean> =>
    canHaveTraces && of !== undefined && (await exists(connection, of, name, signal));
  const hasMetrics = layout.minute !== undefined && layout.metadata !== undefined;
  const [hasNativeTraces, hasCompatTraces] = await Promise.all([
    hasTrace(SEGMENT, layout.trace),
    hasTrace(ZIPKIN_SPAN, layout.zipkin),
  ]);
  const isLosing = minor === WITH_TRACES && (layout.trace ?? layout.zipkin) !== undefined;
  if (isLosing) log.warn(`traces are not read from this server: ${LOSING}`, {version});
  const missing = [
    ...(hasMetrics
      ? missingGroups(layout, namespace, ['hour', 'day', 'records'])
      : missingGroups(layout, namespace, ['minute', 'metadata'])),
    ...(hasNativeTraces || isLosing ? [] : [`trace ${SEGMENT}`]),
    ...(hasCompatTraces || isLosing ? [] : [`trace ${ZIPKIN_SPAN}`]),
  ];
  if (!hasMetrics && !hasNativeTraces && !hasCompatTraces) {
    throw new GatewayError(
      'storage_failed',
      `the namespace ${quote(namespace)} in BanyanDB has nothing to read: it lacks ${missing.join(', ')}; ${isLosing ? `its traces are not read: ${LOSING}` : 'has its OAP ever started?'}`,
    );
  }
  if (missing.length > 0) log.warn('the namespace does not have everything', {namespace, version, missing});
  return {version, layout, hasMetrics, hasNativeTraces, hasCompatTraces};
}

async function apiVersion(connection: BanyanDBConnection, signal: AbortSignal): Promise<string> {
  try {
    const {version} = await connection.call(GetAPIVersion, {}, signal);
    return version?.version ?? '';
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    const reason =
      `BanyanDB at ${connection.description} does not tell its version: it is older than 0.8, which is the oldest that can be read, ` +
      'or a data node, where a liaison node is needed; check the option endpoints';
    throw new GatewayError('storage_failed', reason, {cause: error});
  }
}

/** `0.10` and `v0.10.1` are 10; undefined for versions from 1.0 on, and for what is no version. */
function minorOf(version: string): number | undefined {
  const minor = /^v?0\.(\d+)/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

async function exists(
  connection: BanyanDBConnection,
  group: string,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await connection.call(traces.Exist, {metadata: {group, name}}, signal)).has_trace;
  } catch (error) {
    if (isUnimplemented(error)) return false;
    throw error;
  }
}
