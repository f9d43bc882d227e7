import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {rehearse, store} from '../../core/rehearse/scene.js';
import {scratchFolder} from '../../support/gateway.js';
import {DEFECTS} from './defects.js';
import {otlpRequest, requestsOf, type SubjectData, subject} from './subject.js';

/** Subjects with a defect, and as many again without one among them. */
const PLANTED = Number(process.env.DEFECTS ?? 100);
/** Of each of these the storage itself is wrong, not its data. */
const OTHER_TIES = 3;

const isPlanted = (i: number): boolean => i % 2 === 1;

test('every defect that is planted is found, with nothing of what is sound among it', async t => {
  const folder = await scratchFolder(t);
  const all = Array.from({length: 2 * PLANTED}, (_, i) => i);
  const planted = new Map<number, string>();
  const others = all.map(i => {
    const data = subject(i);
    const turn = (i - 1) / 2;
    if (!isPlanted(i)) return data;
    const defect = turn < OTHER_TIES ? undefined : DEFECTS[turn % DEFECTS.length];
    defect?.plant(data, turn);
    planted.set(i, defect?.name ?? 'another order of ties');
    return data;
  });
  const otherTies = all
    .filter(isPlanted)
    .slice(0, OTHER_TIES)
    .map(i => `pods_${i}`);
  await store(folder, 'old', filesOf(all.map(subject)));
  await store(folder, 'new', filesOf(others), {otherTies});
  await writeFile(join(folder, 'traffic.ndjson'), all.flatMap(requestsOf).join(''));
  const {code, report, stderr} = await rehearse(folder, '--traffic', 'traffic.ndjson');
  t.is(code, 1, stderr);
  const perSubject = requestsOf(0).length;
  const lineOf = (source: string): number => Number(/:(\d+)$/.exec(source)?.[1]);
  const found = new Map<number, string[]>();
  for (const request of report.requests) {
    const i = Math.floor((lineOf(request.source) - 1) / perSubject);
    found.set(i, [...(found.get(i) ?? []), `${request.class} ${request.path} ${JSON.stringify(request.difference)}`]);
  }
  t.deepEqual(
    [...planted]
      .filter(([i]) => !found.get(i)?.some(one => one.startsWith('differs')))
      .map(([i, name]) => `${i}: ${name}: ${found.get(i)}`),
    [],
    'what was planted and not found',
  );
  t.deepEqual(
    [...found].filter(([i]) => !planted.has(i)),
    [],
    'what was found and not planted',
  );
  const {counts} = report;
  t.is(counts.equal, all.length * perSubject - report.requests.length);
  t.like(counts, {'within tolerance': 0, unsupported: 0, error: 0, noise: 0});
  t.log(
    `${planted.size} planted, of ${new Set(planted.values()).size} kinds; ${counts.differs} requests differ, ${counts.equal} are equal`,
  );
});

function filesOf(all: readonly SubjectData[]): Readonly<Record<string, string>> {
  return {
    'm.ndjson': all.flatMap(({metrics}) => metrics.map(record => `${JSON.stringify(record)}\n`)).join(''),
    's.json': JSON.stringify(all.flatMap(({spans}) => spans)),
    'n.json': JSON.stringify(all.flatMap(({segments}) => segments)),
    'o.json': all.map(({otlp}, i) => `${otlpRequest(i, otlp)}\n`).join(''),
  };
}
