import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {DatasetShape} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {anonymousMegabytes, processorSeconds} from './support/memory.js';
import {ROOT, start} from './support/processes.js';
import {printTable} from './support/table.js';
import {TRACE_KINDS} from './support/trace-cases.js';
import type {TraceShape} from './support/trace-dataset.js';
import {prepareTraces} from './support/trace-fill.js';

export interface CopyBench {
  readonly metrics: DatasetShape;
  readonly traces: TraceShape;
  /** Where the source is, or is made, and stays. */
  readonly folder?: string;
  /** Makes the source, and copies nothing. */
  readonly fillOnly: boolean;
  /** How often the last copy is killed. */
  readonly kills: number;
}

interface CopyRun {
  readonly seconds: number;
  /** Of the processor. */
  readonly busy: number;
  readonly megabytes: number;
  readonly said: string;
}

/**
 * Copies an embedded storage into another one: each kind by itself, then verified; then all into a third, killed again and
 * again. What is done twice is the time between the last page that a killed copy has noted and its death.
 */
export async function benchCopy({metrics, traces, folder: given, fillOnly, kills}: CopyBench): Promise<void> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'query-gateway-bench-')));
  try {
    await mkdir(folder, {recursive: true});
    for (const kind of TRACE_KINDS) await prepareTraces(folder, kind, traces);
    const note = join(folder, 'metrics.json');
    if (!existsSync(note)) {
      await fillEmbedded(folder, metrics);
      await writeFile(note, JSON.stringify(metrics));
    }
    if (fillOnly) return;
    for (const name of ['embedded', 'copied', 'killed']) {
      if (name !== 'embedded') await rm(join(folder, name), {recursive: true, force: true});
      const storage = {use: 'embedded', config: {path: join(folder, name)}};
      await writeFile(join(folder, `${name}.json`), JSON.stringify({storage, plugins: []}));
    }
    const rows: (string | number)[][] = [];
    for (const kind of ['metrics', ...TRACE_KINDS]) rows.push([kind, ...(await measured(folder, ['--only', kind]))]);
    rows.push(['all, verified', ...(await measured(folder, ['--verify']))]);
    printTable(['kind', 'seconds', 'of the processor', 'a second', 'MB', 'what it says'], rows);
    const whole = rows.slice(0, -1).reduce((sum, [, seconds]) => sum + Number(seconds), 0);
    if (kills > 0) await benchKills(folder, whole, kills);
  } finally {
    if (given === undefined) await rm(folder, {recursive: true, force: true});
  }
}

async function measured(folder: string, words: readonly string[]): Promise<readonly (string | number)[]> {
  const {seconds, busy, megabytes, said} = await run(folder, 'copied', words);
  const units = /(\d+) (?:samples|compat spans|native spans)/.exec(said)?.[1];
  const rate = units === undefined ? '' : Math.round(Number(units) / seconds).toLocaleString('en');
  return [seconds.toFixed(1), busy.toFixed(1), rate, Math.round(megabytes), said];
}

/** To its end, with the most memory that it was seen to have. */
async function run(folder: string, target: string, words: readonly string[]): Promise<CopyRun> {
  const begun = performance.now();
  const child = begin(folder, target, words);
  let said = '';
  child.stdout?.on('data', chunk => {
    said += chunk;
  });
  let [megabytes, busy] = [0, 0];
  const exit = once(child, 'close');
  while (child.exitCode === null && child.signalCode === null) {
    megabytes = Math.max(megabytes, anonymousMegabytes(child.pid));
    busy = Math.max(busy, processorSeconds(child.pid));
    await Promise.race([exit, sleep(100)]);
  }
  if (child.exitCode !== 0) throw new Error(`the copy has ended with ${child.exitCode ?? child.signalCode}: ${said}`);
  const seconds = (performance.now() - begun) / 1000;
  return {seconds, busy, megabytes, said: said.trim().replaceAll('\n', '; ')};
}

function begin(folder: string, target: string, words: readonly string[]) {
  const files = ['--from', join(folder, 'embedded.json'), '--to', join(folder, `${target}.json`)];
  return start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'copy', ...files, ...words], folder);
}

async function benchKills(folder: string, whole: number, kills: number): Promise<void> {
  const state = join(folder, 'killed.json.copy-checkpoint');
  const noted = (): Promise<number> =>
    stat(state).then(
      ({mtimeMs}) => mtimeMs,
      () => 0,
    );
  let twice = 0;
  for (let kill = 0; kill < kills; kill++) {
    const before = await noted();
    const child = begin(folder, 'killed', []);
    while ((await noted()) === before) await sleep(10);
    await sleep(Math.random() * 2 * ((whole * 1000) / (kills + 1)));
    child.kill('SIGKILL');
    await once(child, 'close');
    twice += Date.now() - (await noted());
  }
  const {said} = await run(folder, 'killed', []);
  const verified = await run(folder, 'killed', ['--verify']);
  const share = ((twice / 1000 / whole) * 100).toFixed(2);
  process.stdout.write(
    `killed ${kills} times: ${share} % of ${whole.toFixed(0)} s done twice\n${said}\n${verified.said}\n`,
  );
}
