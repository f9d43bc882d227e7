import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {Agent, type ClientRequest, request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {type DatasetShape, instanceName, LAYER, serviceName} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {type RunningGateway, startGateway} from './support/gateway.js';
import {anonymousMegabytes} from './support/memory.js';
import {probe} from './support/prober.js';
import {printTable} from './support/table.js';

const QUERY_LENGTH = 16 * 1024;
const DAY = 86_400;

/** What clients do that want more than there is, or do not wait for it, and what readiness, processor and memory are then. */
export async function benchOverload(shape: DatasetShape, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    await fillEmbedded(folder, shape);
    const end = shape.start + (shape.minutes - 1) * 60;
    const rows: (string | number)[][] = [];
    for (const [name, play] of scenarios(end, seconds)) {
      const gateway = await startGateway(folder);
      try {
        await sleep(2000);
        rows.push([name, ...(await measure(gateway, () => play(gateway)))]);
      } finally {
        await gateway.stop();
      }
    }
    printTable(['what clients do', 'answers', 'seconds', 'readiness, longest ms', 'processor s', 'peak MB'], rows);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

type Play = (gateway: RunningGateway) => Promise<string>;

function scenarios(end: number, seconds: number): readonly (readonly [name: string, play: Play])[] {
  const chain = `a${'+a'.repeat((QUERY_LENGTH - 1) / 2)}`;
  const one = `instance_cpm{layer='${LAYER}',service='${serviceName(0)}',service_instance='${instanceName(0, 0)}'}`;
  const heaviest = Array.from({length: 44}, () => one).join('+');
  const ranking = `instance_cpm{layer='${LAYER}',top_n='10',order='DES'}`;
  const days = {start: String(end - 11_000 * DAY + DAY), end: String(end)};
  const hour = {start: String(end - 3600), end: String(end)};
  return [
    ['50 ask for the format of the longest text', one => many(50, one, 'format_query', {query: chain}).then(count)],
    ['300 send the longest text and leave', one => leave(300, one, 'query', {query: chain})],
    ['1,000 ask for a ranking and leave', one => leave(1000, one, 'query_range', {query: ranking, ...hour})],
    [
      `500 ask for the heaviest query for ${seconds} s`,
      one => repeat(500, seconds, () => ask(one, 'query_range', {query: heaviest, ...days}).answer),
    ],
    [
      '31 ask for a heavy query, SIGTERM',
      async one => {
        const asked = Array.from({length: 31}, () => ask(one, 'query_range', {query: heaviest, ...days}));
        await Promise.all(asked.map(({request: sent}) => once(sent, 'finish')));
        await sleep(100);
        process.kill(one.pid, 'SIGTERM');
        return count(await Promise.all(asked.map(({answer}) => answer)));
      },
    ],
  ];
}

const agent = new Agent({maxSockets: Number.POSITIVE_INFINITY, keepAlive: false});

interface Asked {
  readonly request: ClientRequest;
  /** The status, `503 later` where the answer says when to try again, or what went wrong. */
  readonly answer: Promise<string>;
}

function ask(gateway: RunningGateway, path: string, form: Readonly<Record<string, string>>): Asked {
  const headers = {'content-type': 'application/x-www-form-urlencoded'};
  const sent = request(`${gateway.metrics}/api/v1/${path}`, {method: 'POST', agent, headers});
  const answer = new Promise<string>(resolve => {
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.on('response', response => {
      const later = response.headers['retry-after'] === undefined ? '' : ' later';
      response.resume().on('close', () => resolve(response.complete ? `${response.statusCode}${later}` : 'cut'));
    });
  });
  sent.end(new URLSearchParams(form).toString());
  return {request: sent, answer};
}

function many(clients: number, ...question: Parameters<typeof ask>): Promise<readonly string[]> {
  return Promise.all(Array.from({length: clients}, () => ask(...question).answer));
}

/** Each client waits until its request has left, and then no longer; the gateway is watched until it is quiet. */
async function leave(clients: number, ...question: Parameters<typeof ask>): Promise<string> {
  const asked = Array.from({length: clients}, () => ask(...question));
  await Promise.all(asked.map(({request: sent}) => once(sent, 'finish')));
  for (const {request: sent} of asked) sent.destroy();
  for (let before = -1, now = processorSeconds(question[0].pid); now - before > 0.05; ) {
    before = now;
    await sleep(300);
    now = processorSeconds(question[0].pid);
  }
  return '';
}

async function repeat(clients: number, seconds: number, once: () => Promise<string>): Promise<string> {
  const until = performance.now() + seconds * 1000;
  const answers: string[] = [];
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await once();
      answers.push(answer);
      if (answer !== '200') await sleep(1000);
    }
  };
  await Promise.all(Array.from({length: clients}, client));
  return count(answers);
}

function count(answers: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, times]) => `${times} × ${answer}`).join(', ');
}

async function measure(gateway: RunningGateway, play: () => Promise<string>): Promise<(string | number)[]> {
  const before = processorSeconds(gateway.pid);
  const stop = await probe(`${gateway.admin}/-/ready`);
  let peak = 0;
  let cost = 0;
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, anonymousMegabytes(gateway.pid));
      cost = processorSeconds(gateway.pid) - before;
    } catch {
      // The process has ended.
    }
  }, 50);
  const begun = performance.now();
  const answers = await play();
  const seconds = (performance.now() - begun) / 1000;
  const longest = Math.max(...(await stop()));
  clearInterval(watch);
  return [answers, seconds, longest, cost, peak];
}

/** User and system time of a process, in hundredths as the kernel counts. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
