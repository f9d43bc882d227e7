import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {CopyRun} from './support/copy-run.js';
import type {DatasetShape} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {printTable} from './support/table.js';
import {TRACE_KINDS} from './support/trace-cases.js';
import type {TraceShape} from './support/trace-dataset.js';
import {prepareTraces} from './support/trace-fill.js';

export interface CopyBench {
  readonly metrics: DatasetShape;
  /** Of each kind. */
  readonly traces: TraceShape;
  /** Where the source is, or is made, and stays. */
  readonly folder?: string;
  /** Makes the source, and copies nothing. */
  readonly fillOnly: boolean;
  /** How often the last copy is killed. */
  readonly kills: number;
}

/** Copies an embedded storage into another one: each kind by itself, then verified; then all into a third, killed again and again. */
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
    await CopyRun.clear(folder, 'copied');
    const kinds: CopyRun[] = [];
    for (const kind of ['metrics', ...TRACE_KINDS]) {
      kinds.push(await new CopyRun(folder, 'copied', ['--only', kind]).ended());
    }
    const verified = await new CopyRun(folder, 'copied', ['--verify']).ended();
    printTable(
      ['seconds', 'of the processor', 'a second', 'MB', 'what it says'],
      [...kinds, verified].map(({seconds, busy, megabytes, units, said}) => {
        const rate = units === 0 ? '' : Math.round(units / seconds).toLocaleString('en');
        return [seconds.toFixed(1), busy.toFixed(1), rate, Math.round(megabytes), said];
      }),
    );
    const whole = kinds.reduce((sum, {seconds}) => sum + seconds, 0);
    if (kills > 0) await benchKills(folder, whole, kills);
  } finally {
    if (given === undefined) await rm(folder, {recursive: true, force: true});
  }
}

/** `whole` is how many seconds a copy takes. What all runs have begun to write, less what there is, was done twice. */
async function benchKills(folder: string, whole: number, kills: number): Promise<void> {
  const target = 'killed';
  await CopyRun.clear(folder, target);
  // So that it is still there to be killed for the last time.
  const longest = (1.6 * whole) / (kills + 1);
  let begun = 0;
  for (let kill = 0; kill < kills; kill++) {
    const before = await CopyRun.noted(folder, target);
    const run = new CopyRun(folder, target);
    while ((await CopyRun.noted(folder, target)) === before) await sleep(10);
    await sleep(Math.random() * longest * 1000);
    if (!(await run.killed())) throw new Error(`the copy was over before it was killed for the ${kill + 1}th time`);
    begun += run.units;
  }
  const last = await new CopyRun(folder, target).ended();
  const verified = await new CopyRun(folder, target, ['--verify']).ended();
  const all = last.said.match(/\d+ (?=samples|records|compat spans|native spans)/g) ?? [];
  const held = all.reduce((sum, count) => sum + Number(count), 0);
  const share = (((begun + last.units) / held - 1) * 100).toFixed(2);
  process.stdout.write(`killed ${kills} times: ${share} % of ${held} written twice\n${last.said}\n${verified.said}\n`);
}
