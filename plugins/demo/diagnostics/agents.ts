import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Logger} from '../../../core/api/plugin.js';
import {MS_PER_DAY, MS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {Agent} from '../../../diagnostics-agent/agent.js';
import {CAST, type CastMember} from './cast.js';
import {DatabaseNode} from './database-node.js';

/**
 * Three agents with a small database cluster behind them, all in this process: what a diagnostics proxy sees of a real
 * one. `proxy`: the gRPC address of the proxy; `folder`: where lifecycle reports may be written.
 */
export async function startAgents(proxy: string, folder: string, log: Logger): Promise<{stop(): Promise<void>}> {
  const started = await Promise.all(CAST.map(member => start(member, proxy, join(folder, member.pod), log)));
  return {
    stop: async () => {
      await Promise.all(started.map(({agent}) => agent.stop()));
      for (const {node} of started) node.stop();
    },
  };
}

async function start(member: CastMember, proxy: string, folder: string, log: Logger) {
  const node = new DatabaseNode(member);
  const {metricsPort, grpcPort} = await node.start();
  await mkdir(folder, {recursive: true});
  if (member.stage === 'hot') await writeReports(folder);
  const agent = new Agent(
    {
      scrape: {interval: 5000, endpoints: [{port: metricsPort, containerName: member.container}]},
      memoryPercentage: 1,
      listen: {host: '127.0.0.1', port: 0},
      podName: member.pod,
      proxy: {address: proxy, heartbeatInterval: 10_000, reconnectInterval: 2000},
      cluster: {ports: [grpcPort], interval: 10_000},
      lifecycle: {port: grpcPort, reportFolder: folder, timeToLive: MS_PER_MINUTE},
    },
    () => log,
  );
  await agent.start();
  return {agent, node};
}

/** What the last moves of old data to the warm stage report. */
async function writeReports(folder: string): Promise<void> {
  for (const daysAgo of [2, 1]) {
    const at = new Date(Date.now() - daysAgo * MS_PER_DAY).toISOString();
    const name = `${at.slice(0, 10).replaceAll('-', '')}_${at.slice(11, 19).replaceAll(':', '')}.json`;
    const report = {
      started_at: at,
      moved_to: 'warm',
      groups: [{name: 'metricsMinute', parts: 12 - daysAgo, errors: 0}],
    };
    await writeFile(join(folder, name), JSON.stringify(report, null, 2));
  }
}
