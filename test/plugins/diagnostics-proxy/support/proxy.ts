import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {type Owner, type Run, runNode} from '../../../support/gateway.js';
import {get} from '../../../support/http.js';
import {type OpenGateway, openGateway} from '../../../support/library.js';

/** The compiled program: what `npx diagnostics-proxy` runs. */
export const PROGRAM = fileURLToPath(new URL('../../../../plugins/diagnostics-proxy/cli.js', import.meta.url));

export interface RunningProxy extends OpenGateway {
  readonly url: string;
  readonly grpc: string;
}

/** A proxy in this process on free ports; stopped at the end of the test. */
export async function openProxy(
  t: ExecutionContext,
  config: object = {},
  listener: object = {},
): Promise<RunningProxy> {
  const gateway = await openGateway(t, {
    listeners: {diagnostics: {host: '127.0.0.1', port: 0, ...listener}},
    plugins: [{use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0', ...config}}],
  });
  const {diagnostics = '', grpc = ''} = gateway.urls;
  return {...gateway, url: diagnostics, grpc};
}

/** Runs the program with these words; killed at the end of the test. */
export function runProgram(t: Owner, words: readonly string[]): Run {
  return runNode(t, [PROGRAM, ...words]);
}

const FREE = ['--grpc-listen-addr', '127.0.0.1:0', '--http-listen-addr', '127.0.0.1:0'];

/** Starts the program on free ports and waits until it is ready. */
export async function startProgram(
  t: Owner,
  words: readonly string[] = [],
): Promise<{readonly run: Run; readonly url: string; readonly grpc: string}> {
  const run = runProgram(t, [...FREE, ...words]);
  const {diagnostics = '', grpc = ''} = await run.ready();
  return {run, url: diagnostics, grpc};
}

export interface AgentRow {
  readonly agent_id: string;
  readonly pod_name: string;
  readonly node_role: string;
  readonly container_names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly status: string;
  readonly last_heartbeat: string;
}

export async function agentsOf({url}: {readonly url: string}): Promise<readonly AgentRow[]> {
  return (await get(`${url}/agents`)).json<readonly AgentRow[]>();
}

/** Asks until the registry is as wanted. */
export async function agentsUntil(
  proxy: {readonly url: string},
  wanted: (agents: readonly AgentRow[]) => boolean,
): Promise<readonly AgentRow[]> {
  for (;;) {
    const agents = await agentsOf(proxy);
    if (wanted(agents)) return agents;
    await sleep(10);
  }
}

/** The value of a series on a page; undefined when it is not there. */
export function sampleOf(page: string, series: string): string | undefined {
  const line = page.split('\n').find(text => text.startsWith(`${series} `));
  return line?.slice(series.length + 1);
}
