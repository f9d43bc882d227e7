import {GatewayError, type HttpRequest, type Reply, type Routes} from '../../../core/api/plugin.js';
import type {Collected, Collector} from '../collect/collector.js';
import {writePage} from '../collect/page.js';
import {heartbeatText} from '../collect/topology.js';
import {type TimeSeries, type Window, writeTimeSeries} from '../collect/windows.js';
import {compareTimestamps} from '../proto/timestamp.js';
import type {Agent} from '../registry/agent.js';
import type {Registry} from '../registry/registry.js';
import {filterOf} from './filter.js';
import {missingHeader} from './missing.js';
import {timeParameter} from './time.js';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TYPE = 'application/json';

/** Adds the proxy's paths. They count as light: what bounds them is the time of a collection, which they share. */
export function addRoutes(routes: Routes, registry: Registry, collector: Collector): void {
  const get = (path: string, handler: (request: HttpRequest) => Reply | Promise<Reply>) =>
    routes.add({methods: ['GET'], path, work: 'light'}, handler);

  get('/metrics', async ({parameters, writeTimeout}) => {
    const wanted = filterOf(parameters);
    const {value: page, missing} = await collector.page(writeTimeout);
    const headers = {'content-type': TEXT_FORMAT, ...missingHeader(missing)};
    return {status: 200, headers, body: writePage(page, wanted, collector.slices)};
  });

  get('/metrics-windows', async ({parameters, writeTimeout}) => {
    const wanted = filterOf(parameters);
    const {value, missing} = await collector.windows(windowOf(parameters), writeTimeout);
    const headers = {'content-type': JSON_TYPE, ...missingHeader(missing)};
    return {status: 200, headers, body: writeWindows(value, wanted, collector)};
  });

  get('/cluster/topology', async ({writeTimeout}) => collectedReply(await collector.topology(writeTimeout)));
  get('/cluster/lifecycle', async ({writeTimeout}) => collectedReply(await collector.lifecycle(writeTimeout)));

  get('/health', () => {
    return json({status: 'healthy', agents_online: registry.count('online'), agents_total: registry.size});
  });

  get('/agents', () => json(registry.list().map(describeAgent)));
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {status: 200, headers: {'content-type': JSON_TYPE, ...headers}, body: JSON.stringify(value)};
}

function collectedReply({value, missing}: Collected<object>): Reply {
  return json(value, missingHeader(missing));
}

function windowOf(parameters: HttpRequest['parameters']): Window | undefined {
  const start = timeParameter(parameters, 'start_time');
  const end = timeParameter(parameters, 'end_time');
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && compareTimestamps(start, end) > 0) {
    const found = parameters.first('end_time');
    throw new GatewayError('bad_request', `end_time: found "${found}", which lies before start_time`);
  }
  return {start, end};
}

/** How long a piece of JSON becomes before it is passed on. */
const PIECE = 65_536;

async function* writeWindows(
  byAgent: ReadonlyMap<Agent, readonly TimeSeries[]>,
  wanted: ReturnType<typeof filterOf>,
  {slices}: Collector,
): AsyncGenerator<string> {
  let text = '[';
  let isFirst = true;
  for (const [agent, all] of byAgent) {
    for (const series of all) {
      if (!wanted(series)) continue;
      await slices.turn();
      text += (isFirst ? '' : ',') + writeTimeSeries(series, agent);
      isFirst = false;
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}

function describeAgent({id, podName, nodeRole, containerNames, labels, status, lastHeartbeat}: Agent): object {
  return {
    agent_id: id,
    pod_name: podName,
    node_role: nodeRole,
    container_names: containerNames,
    labels,
    status,
    last_heartbeat: heartbeatText(lastHeartbeat),
  };
}
