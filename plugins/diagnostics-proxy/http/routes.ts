import {GatewayError, type HttpRequest, type Reply, type Routes} from '../../../core/api/plugin.js';
import {parameterProblem, quote} from '../../../core/toolkit/messages.js';
import {compareTimestamps} from '../../diagnostics/proto/timestamp.js';
import type {Collector} from '../collector.js';
import {writePage} from '../families/merged-page.js';
import type {AgentRegistry} from '../registry/agent-registry.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {heartbeatText, writeTopology} from '../topology/write-topology.js';
import {writeWindows} from '../windows/write-windows.js';
import type {Window} from '../wire/metrics-message-reader.js';
import {toPieces} from './body-pieces.js';
import {missingHeader} from './missing-header.js';
import {timeParameter} from './parameters.js';
import {filterOf} from './series-filter.js';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TYPE = 'application/json';

/** Adds the proxy's paths. They count as light: what bounds them is the time of a collection, which they share. */
export function diagnosticsRoutes(routes: Routes, registry: AgentRegistry, collector: Collector): void {
  const get = (path: string, handler: (request: HttpRequest) => Reply | Promise<Reply>) =>
    routes.add({methods: ['GET'], path, work: 'light'}, handler);

  const bytes = (type: string, missing: readonly RegisteredAgent[], parts: AsyncIterable<Uint8Array>): Reply => {
    return {status: 200, headers: {'content-type': type, ...missingHeader(missing)}, body: parts};
  };

  get('/metrics', async ({parameters, writeTimeout}) => {
    const {value, missing} = await collector.page(parameters.all('pod_name'), writeTimeout);
    return bytes(TEXT_FORMAT, missing, writePage(value, filterOf(parameters)));
  });

  get('/metrics-windows', async ({parameters, writeTimeout}) => {
    const window = windowOf(parameters);
    const {value, missing} = await collector.windows(window, parameters.all('pod_name'), writeTimeout);
    return bytes(JSON_TYPE, missing, toPieces(writeWindows(value, filterOf(parameters))));
  });

  get('/cluster/topology', async ({writeTimeout}) => {
    const {value, missing} = await collector.topology(writeTimeout);
    return bytes(JSON_TYPE, missing, toPieces(writeTopology(value, registry.list())));
  });

  get('/cluster/lifecycle', async ({writeTimeout}) => {
    const {value, missing} = await collector.lifecycle(writeTimeout);
    return json(value, missingHeader(missing));
  });

  routes.add({methods: ['GET'], path: '/health', work: 'light', right: 'open'}, () => {
    return json({status: 'healthy', agents_online: registry.count('online'), agents_total: registry.size});
  });

  get('/agents', () => json(registry.list().map(describeAgent)));
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {status: 200, headers: {'content-type': JSON_TYPE, ...headers}, body: JSON.stringify(value)};
}

function windowOf(parameters: HttpRequest['parameters']): Window {
  const start = timeParameter(parameters, 'start_time');
  const end = timeParameter(parameters, 'end_time');
  if (start !== undefined && end !== undefined && compareTimestamps(start, end) > 0) {
    const problem = `which lies before "start_time" ${quote(parameters.first('start_time'))}`;
    throw new GatewayError('bad_request', parameterProblem('end_time', parameters.first('end_time'), problem));
  }
  return {...(start !== undefined && {start_time: start}), ...(end !== undefined && {end_time: end})};
}

function describeAgent({
  id,
  podName,
  nodeRole,
  containerNames,
  labels,
  status,
  lastHeartbeat,
}: RegisteredAgent): object {
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
