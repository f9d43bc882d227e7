import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test from 'ava';
import {testWith} from '../support/programs.js';
import {END, START} from './dataset.js';
import {startWithRecords} from './gateway.js';

const run = promisify(execFile);

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

const SONGS = `service_cpm{layer='GENERAL',service='songs'}`;
const LAST_MINUTES = [`--start=${iso(END - 120)}`, `--end=${iso(END)}`];
const ALL = [`--start=${iso(START)}`, `--end=${iso(END)}`];

/** Sub-command, its arguments behind the server, and what promtool prints. */
const ROWS: readonly {
  readonly title: string;
  readonly args: (server: string) => readonly string[];
  readonly prints: readonly string[];
}[] = [
  {
    title: 'an instant query',
    args: server => ['instant', `--time=${iso(END)}`, server, SONGS],
    prints: [`service_cpm{layer="GENERAL", scope="Service", service="songs"} => 29 @[${END}]`],
  },
  {
    title: 'an instant query of a scalar',
    args: server => ['instant', `--time=${iso(END)}`, server, '6 * 7'],
    prints: [`scalar: 42 @[${END}]`],
  },
  {
    title: 'a range query',
    args: server => ['range', ...LAST_MINUTES, '--step=60s', server, `100 - ${SONGS}`],
    prints: [
      'service_cpm{layer="GENERAL", scope="Service", service="songs"} =>',
      `73 @[${END - 120}]`,
      `72 @[${END - 60}]`,
      `71 @[${END}]`,
    ],
  },
  {
    title: 'series',
    args: server => ['series', ...ALL, `--match=instance_traffic{layer='GENERAL',service='app'}`, server],
    prints: ['app-a', 'app-b'].map(
      name =>
        `{__name__="instance_traffic", layer="GENERAL", scope="ServiceInstance", service="app", service_instance="${name}"}`,
    ),
  },
  {
    title: 'label values',
    args: server => ['labels', ...ALL, `--match=service_traffic{layer='GENERAL'}`, server, 'service'],
    prints: ['app', 'songs'],
  },
];

testWith(test, 'promtool', 'promtool reads vectors, scalars, matrices, series and label values', async t => {
  const {urls} = await startWithRecords(t);
  for (const {title, args, prints} of ROWS) {
    const {stdout} = await run('promtool', ['query', ...args(urls.metrics ?? '')]);
    t.deepEqual(stdout.trimEnd().split('\n'), prints, title);
  }
  const refused = run('promtool', ['query', 'instant', urls.metrics ?? '', 'rate(x[5m])']);
  await t.throwsAsync(refused, {message: /bad_data: .*"rate" is not in this subset/});
});
