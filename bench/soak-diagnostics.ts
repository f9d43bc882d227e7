import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {FakeAgent, gauge} from '../test/plugins/diagnostics-proxy/support/fake-agent.js';
import {anonymousMegabytes} from './support/memory.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';

const PROXY = join(ROOT, 'dist/plugins/diagnostics-proxy/cli.js');
const FLAGS = [
  ...['--grpc-listen-addr', '127.0.0.1:0', '--http-listen-addr', '127.0.0.1:0'],
  ...['--heartbeat-interval', '1s', '--agent-heartbeat-timeout', '3s'],
  ...['--agent-cleanup-timeout', '6s', '--http-write-timeout', '8s'],
];
const PATHS = ['/metrics', '/metrics?pod_name=pod-1', '/metrics-windows', '/cluster/topology', '/cluster/lifecycle'];

/** Pods that there may be, and how many of them are there on the average. */
const PODS = 80;
const SERIES = 200;
/** Milliseconds. */
const BETWEEN_EVENTS = 150;
const BETWEEN_HEARTBEATS = 1000;
const BETWEEN_SCRAPES = 2000;
/** What a process may gain without growing: caches fill, the collector of garbage takes its time, connections are kept open. */
const MEGABYTES = 40;
const HANDLES = 12;
/** Of the answers: on a machine with other work, a few may miss the write timeout and be refused or cut. */
const ANSWERED = 0.95;
const CUT = 0;

interface Sample {
  readonly minute: number;
  readonly megabytes: number;
  readonly handles: number;
  readonly registered: number;
  readonly alive: number;
}

/** Agents that join, leave, die, fall silent and come twice, at random. */
class Crowd {
  readonly #address: string;
  readonly #agents = new Map<string, FakeAgent>();
  readonly #silent = new Set<string>();
  readonly events: Record<string, number> = {joined: 0, left: 0, died: 0, silenced: 0, replaced: 0};

  constructor(address: string) {
    this.#address = address;
  }

  get size(): number {
    return this.#agents.size;
  }

  beat(): void {
    for (const [pod, agent] of this.#agents) if (!this.#silent.has(pod)) agent.heartbeat();
  }

  async event(): Promise<void> {
    const pod = `pod-${Math.floor(Math.random() * PODS)}`;
    const agent = this.#agents.get(pod);
    const dice = Math.random();
    if (agent === undefined) await this.#join(pod, 'joined');
    else if (dice < 0.4) this.#end(pod, 'left', () => agent.close());
    else if (dice < 0.7) this.#end(pod, 'died', () => agent.die());
    else if (dice < 0.8) {
      this.#silent.add(pod);
      this.#count('silenced');
    } else {
      await this.#join(pod, 'replaced');
      agent.die();
    }
  }

  leave(): void {
    for (const [pod, agent] of this.#agents) this.#end(pod, 'left', () => agent.close());
  }

  async #join(pod: string, event: string): Promise<void> {
    this.#silent.delete(pod);
    const answered = <T>(answer: T): T | undefined => (this.#silent.has(pod) ? undefined : answer);
    const agent = new FakeAgent(this.#address, {
      pod,
      labels: {type: 'hot'},
      metrics: () =>
        answered(Array.from({length: SERIES}, (_, n) => gauge(pod, `m${n % 20}`, Math.random(), {n: String(n)}))),
      topology: () => answered({nodes: [{metadata: {name: pod}, labels: {pod_name: pod}}]}),
      lifecycle: () => answered({reports: [{filename: '1.json', report_json: '{}'}]}),
    });
    this.#agents.set(pod, await agent.connect());
    this.#count(event);
  }

  #end(pod: string, event: string, end: () => void): void {
    this.#agents.delete(pod);
    end();
    this.#count(event);
  }

  #count(event: string): void {
    this.events[event] = (this.events[event] ?? 0) + 1;
  }
}

/** Runs the proxy among agents that come and go, prints what it takes, and throws when something of it has grown. */
export async function soakDiagnostics(minutes: number): Promise<void> {
  const proxy = start(process.execPath, [PROXY, ...FLAGS], ROOT);
  const {listeners} = await readyLine<{listeners: {diagnostics: string; grpc: string}}>(proxy);
  const url = listeners.diagnostics;
  const crowd = new Crowd(listeners.grpc);
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 60_000;
  const look = async (): Promise<Sample> => {
    const health = (await (await fetch(`${url}/health`)).json()) as {agents_total: number};
    const handles = readdirSync(`/proc/${proxy.pid}/fd`).length;
    const {agents_total: registered} = health;
    return {minute: elapsed(), megabytes: anonymousMegabytes(proxy.pid), handles, registered, alive: crowd.size};
  };
  const samples: Sample[] = [];
  const statuses = new Map<number, number>();
  let isOver = false;
  const whileRunning = async (interval: number, act: () => Promise<unknown> | unknown): Promise<void> => {
    for (; !isOver; await sleep(interval)) await act();
  };
  try {
    const before = await look();
    const busy = Promise.all([
      whileRunning(BETWEEN_EVENTS, () => crowd.event()),
      whileRunning(BETWEEN_HEARTBEATS, () => crowd.beat()),
      whileRunning(5000, async () => samples.push(await look())),
      ...PATHS.map(path =>
        whileRunning(BETWEEN_SCRAPES, async () => {
          const status = await fetch(url + path)
            .then(async answer => {
              await answer.arrayBuffer();
              return answer.status;
            })
            .catch(() => CUT);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      ),
    ]);
    await Promise.race([busy, sleep(minutes * 60_000)]);
    isOver = true;
    await busy;
    crowd.leave();
    // Offline, then removed, and a moment for the last connections.
    await sleep(15_000);
    const after = await look();
    report(samples, before, after, crowd, statuses);
    judge(samples, before, after, statuses);
  } finally {
    isOver = true;
    crowd.leave();
    await proxy.stop();
  }
}

function report(
  samples: readonly Sample[],
  before: Sample,
  after: Sample,
  {events}: Crowd,
  statuses: ReadonlyMap<number, number>,
): void {
  const said = Object.entries(events).map(([event, count]) => `${count} ${event}`);
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`);
  process.stdout.write(`agents: ${said.join(', ')}; answers: ${answers.join(', ')}\n`);
  const step = Math.max(1, Math.floor(samples.length / 12));
  const shown = [before, ...samples.filter((_, index) => index % step === step - 1), after];
  printTable(
    ['minute', 'MB of memory', 'handles', 'registered', 'alive'],
    shown.map(({minute, megabytes, handles, registered, alive}) => [minute, megabytes, handles, registered, alive]),
  );
}

function judge(samples: readonly Sample[], before: Sample, after: Sample, statuses: ReadonlyMap<number, number>): void {
  // The least of a third is what is left when garbage has gone.
  const third = Math.floor(samples.length / 3);
  const least = (part: readonly Sample[]): number => Math.min(...part.map(({megabytes}) => megabytes));
  const [early, late] = [least(samples.slice(third, 2 * third)), least(samples.slice(2 * third))];
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const growth = [
    late > early + MEGABYTES && `memory: ${early.toFixed()} MB, then ${late.toFixed()} MB`,
    after.handles > before.handles + HANDLES && `handles: ${before.handles}, then ${after.handles}`,
    after.registered > 0 && `registered agents: ${after.registered} though all have left`,
    samples.some(({registered}) => registered > PODS) && `more registered agents than the ${PODS} pods`,
    (statuses.get(200) ?? 0) < ANSWERED * total && 'too many answers other than 200',
  ].filter(problem => problem !== false);
  if (growth.length > 0) throw new Error(`the proxy has grown or failed: ${growth.join('; ')}`);
}
