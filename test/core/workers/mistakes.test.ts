import test from 'ava';
import {runOver} from '../../support/command.js';
import {FIXTURE_ADAPTER} from '../../support/gateway.js';
import {PID} from './scene.js';

const embedded = {use: 'embedded', config: {path: './data'}};
const number = 'expected a whole number from 1 to 256, or "cores"';

const MISTAKES: readonly (readonly [title: string, config: object, message: RegExp])[] = [
  ['zero', {workers: 0}, new RegExp(`^workers: found 0, ${number}$`, 'm')],
  ['a word', {workers: 'many'}, new RegExp(`^workers: found "many", ${number}$`, 'm')],
  ['a fraction', {workers: 1.5}, new RegExp(`^workers: found 1.5, ${number}$`, 'm')],
  ['more than any machine has', {workers: 257}, new RegExp(`^workers: found 257, ${number}$`, 'm')],
  ['nothing', {workers: null}, new RegExp(`^workers: found null, ${number}$`, 'm')],
  [
    'two over a folder',
    {workers: 2, storage: embedded},
    /^workers: found 2, expected 1: of the storage adapter embedded only one process can have the folder \S+data open$/m,
  ],
  [
    'as many as cores over a folder',
    {workers: 'cores', storage: embedded},
    /^workers: found "cores", expected 1: of the/m,
  ],
  [
    'two over an adapter that does not say that it may be',
    {workers: 2, storage: {use: FIXTURE_ADAPTER}},
    /^workers: found 2, expected 1: of the storage adapter fixture only one process can have it open$/m,
  ],
];

for (const [title, config, message] of MISTAKES) {
  test(`workers: ${title} is a mistake at its key`, async t => {
    const running = await runOver(t, {config: {plugins: [{use: PID}], ...config}});
    t.is(running.exit, 2);
    t.regex(running.stderr.join('\n'), message);
  });
}
