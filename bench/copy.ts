import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {CopyRun} from './support/copy-run.js';
import {type DatasetShape, SERIES_PER_INSTANCE} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {printTable} from './support/table.js';
import {TRACE_KINDS} from './support/trace-cases.js';
import {SPANS_PER_TRACE, type TraceShape} from './support/trace-dataset.js';
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

/** Copies an embedded storage into another one: each kind by itself, then verified. Or all of it, killed again and again. */
export async function benchCopy({metrics, traces, folder: given, fillOnly, kills}: CopyBench): Promise<void> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'query-gateway-bench-')));
  try {
    await mkdir(folder, {recursive: true});
    let held = 0;
    for (const kind of TRACE_KINDS) {
      const shape = await prepareTraces(folder, kind, traces);
      held += shape.traces * SPANS_PER_TRACE + shape.large;
    }
    const note = join(folder, 'metrics.json');
    if (!existsSync(note)) {
      await fillEmbedded(folder, metrics);
      await writeFile(note, JSON.stringify(metrics));
    }
    const {services, instances, minutes} = JSON.parse(await readFile(note, 'utf8')) as DatasetShape;
    held += services * instances * SERIES_PER_INSTANCE * minutes;
    if (fillOnly) return;
    if (kills > 0) await benchKills(folder, held, kills);
    else await benchKinds(folder);
  } finally {
    if (given === undefined) await rm(folder, {recursive: true, force: true});
  }
}

async function benchKinds(folder: string): Promise<void> {
  const target = 'copied';
  await CopyRun.clear(folder, target);
  const runs: CopyRun[] = [];
  for (const words of [...['metrics', ...TRACE_KINDS].map(kind => ['--only', kind]), ['--verify']]) {
    const run = await new CopyRun(folder, target, words).ended();
    runs.push(run);
    process.stdout.write(`${run.said}, ${Math.round(run.megabytes)} MB\n`);
  }
  printTable(
    ['seconds', 'of the processor', 'a second', 'MB', 'what it says'],
    runs.map(({seconds, busy, megabytes, units, said}) => {
      const rate = units === 0 ? '' : Math.round(units / seconds).toLocaleString('en');
      return [seconds.toFixed(1), busy.toFixed(1), rate, Math.round(megabytes), said];
    }),
  );
}

/** `held` is how many samples and spans there are. What all runs have begun to write beyond them was written twice. */
async function benchKills(folder: string, held: number, kills: number): Promise<void> {
  const target = 'killed';
  await CopyRun.clear(folder, target);
  // So that it is still there to be killed for the last time.
  const most = (1.6 * held) / (kills + 1);
  let [begun, megabytes] = [0, 0];
  for (let kill = 0; kill < kills; kill++) {
    const run = new CopyRun(folder, target);
    const units = Math.random() * most;
    while (run.units <= units && !run.isOver) await sleep(5);
    // At any point of a page.
    await sleep(Math.random() * 200);
    if (!(await run.killed())) throw new Error(`the copy was over before it was killed for the ${kill + 1}th time`);
    begun += run.units;
    megabytes = Math.max(megabytes, run.megabytes);
  }
  const last = await new CopyRun(folder, target).ended();
  const share = (((begun + last.units) / held - 1) * 100).toFixed(2);
  process.stdout.write(
    `killed ${kills} times: ${share} % of ${held} written twice, ${Math.round(Math.max(megabytes, last.megabytes))} MB\n${last.said}\n`,
  );
  const verified = await new CopyRun(folder, target, ['--verify']).ended();
  process.stdout.write(`${verified.said}\n`);
}
