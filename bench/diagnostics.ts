import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {writeFamily} from '../plugins/diagnostics/exposition/write.js';
import {readFamilies} from '../test/support/read-families.js';
import {anonymousMegabytes} from './support/memory.js';
import {probe} from './support/prober.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';

const PROXY = join(ROOT, 'dist/plugins/diagnostics-proxy/cli.js');
const AGENTS = join(ROOT, 'dist/bench/support/simulated-agents.js');
const FREE = ['--grpc-listen-addr', '127.0.0.1:0', '--http-listen-addr', '127.0.0.1:0', '--max-agents', '2000'];

export interface DiagnosticsShape {
  readonly agents: number;
  readonly series: number;
}

interface Measured {
  readonly seconds: number;
  /** Of the proxy alone: what does not depend on what else runs on the machine. */
  readonly processor: number;
  readonly text: string;
  /** The longest time that the proxy took for a small request meanwhile, in milliseconds. */
  readonly longest: number;
  readonly megabytes: number;
}

/** Asks once, while small requests and looks at the memory go on. */
async function measure(url: string, path: string, pid: number): Promise<Measured> {
  let megabytes = 0;
  const stop = await probe(`${url}/health`);
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, anonymousMegabytes(pid));
  }, 20);
  const before = await processorSeconds(pid);
  const begun = performance.now();
  const asked = fetch(url + path).then(async answer => ({answer, bytes: Buffer.from(await answer.arrayBuffer())}));
  await asked.catch(() => undefined);
  const seconds = (performance.now() - begun) / 1000;
  const processor = (await processorSeconds(pid)) - before;
  clearInterval(watch);
  const longest = Math.max(...(await stop()));
  const {answer, bytes} = await asked;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${bytes} after ${seconds} s`);
  return {seconds, processor, text: bytes.toString('utf8'), longest, megabytes};
}

/** The same page encoded from values that are there already. */
function bareEncoding(page: string): number {
  const {families} = readFamilies(page);
  const begun = performance.now();
  let length = 0;
  for (const family of families) length += writeFamily(family).length;
  if (length !== page.length) throw new Error('the page is not the one that was encoded');
  return (performance.now() - begun) / 1000;
}

/** One proxy with very many agents: what a page costs, and what it costs everything else. */
export async function benchDiagnostics({agents, series}: DiagnosticsShape): Promise<void> {
  const proxy = start(process.execPath, [PROXY, ...FREE], ROOT);
  const {listeners} = await readyLine<{listeners: {diagnostics: string; grpc: string}}>(proxy);
  const simulated = start(process.execPath, [AGENTS, listeners.grpc, String(agents), String(series)], ROOT);
  try {
    await readyLine(simulated);
    const url = listeners.diagnostics;
    const idle = anonymousMegabytes(proxy.pid);
    const rows: (string | number)[][] = [];
    const row = async (name: string, path: string): Promise<string> => {
      const {seconds, processor, text, longest, megabytes} = await measure(url, path, proxy.pid);
      rows.push([name, seconds, processor, text.length / 1e6, longest, megabytes]);
      return text;
    };
    await row('/metrics, first', '/metrics');
    const page = await row('/metrics', '/metrics');
    await row('/metrics of one pod', '/metrics?pod_name=pod-1');
    await row('/metrics-windows, latest', '/metrics-windows');
    await row('/cluster/topology', '/cluster/topology');
    const silent = start(process.execPath, [AGENTS, listeners.grpc, '1', '0', 'silent'], ROOT);
    await readyLine(silent);
    const partial = await row('/metrics, one agent silent', '/metrics');
    await silent.stop();
    if (!partial.includes('diagnostics_agent_up{node_role="ROLE_DATA",pod_name="silent-0"} 0')) {
      throw new Error('the page does not say which agent was silent');
    }
    rows.push(['encoding that page alone', bareEncoding(page), 0, page.length / 1e6, 0, 0]);
    const lines = page.split('\n').filter(line => line.startsWith('database_')).length;
    const health = (await (await fetch(`${url}/health`)).json()) as {agents_online: number};
    process.stdout.write(
      `${agents} agents × 7 streams, ${lines} series of them on the page; idle ${Math.round(idle)} MB; ` +
        `${health.agents_online} online in the end\n`,
    );
    printTable(['', 'seconds', 'processor seconds', 'MB of text', 'longest small request, ms', 'MB of memory'], rows);
    await heartbeatCost(proxy.pid, agents);
  } finally {
    await simulated.stop();
    await proxy.stop();
  }
}

/** Processor time of the proxy while nothing comes but heartbeats, one of each agent every ten seconds. */
async function heartbeatCost(pid: number, agents: number): Promise<void> {
  const before = await processorSeconds(pid);
  await new Promise(done => setTimeout(done, 10_000));
  const spent = (await processorSeconds(pid)) - before;
  process.stdout.write(`heartbeats of ${agents} agents: ${((spent / 10) * 100).toFixed(1)} % of a processor\n\n`);
}

async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  // User and system time in ticks of a hundredth of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
