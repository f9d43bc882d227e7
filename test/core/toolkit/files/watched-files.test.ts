import {mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {LogFields, Logger} from '../../../../core/api/telemetry.js';
import {type FileSet, readFiles} from '../../../../core/toolkit/files/file-set.js';
import {WatchedFiles} from '../../../../core/toolkit/files/watched-files.js';

/** Two files that are good when they say the same. */
const twins = (one: string, other: string): FileSet<string> => ({
  files: [
    {key: 'one', path: one},
    {key: 'other', path: other},
  ],
  parse: ([a, b]) =>
    String(a) === String(b) ? {value: String(a)} : {mistakes: [{key: 'other', message: 'differs from the first'}]},
});

function scene(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  t.teardown(() => rmSync(folder, {recursive: true}));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const write = (a: string, b = a): void => {
    writeFileSync(one, a);
    writeFileSync(other, b);
  };
  const said: string[] = [];
  const say =
    (level: string) =>
    (message: string, fields?: LogFields): void =>
      void said.push(`${level}: ${message}${fields?.problem === undefined ? '' : `: ${fields.problem}`}`);
  const log: Logger = {debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error')};
  const successes: number[] = [];
  const watch = (set: FileSet<string>): WatchedFiles<string> => {
    const watched = new WatchedFiles(set, {what: 'twins', log, success: {set: value => void successes.push(value)}});
    t.teardown(() => watched.close());
    return watched;
  };
  return {folder, one, other, write, said, successes, watch};
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await sleep(20);
};

test('what files say is told when they have changed, once', async t => {
  const {one, other, write, said, successes, watch} = scene(t);
  write('a');
  const watched = watch(twins(one, other));
  const told: string[] = [];
  watched.onChange(value => void told.push(value));
  t.is(watched.value, 'a');
  write('b');
  await until(() => watched.value === 'b');
  await sleep(1500);
  t.deepEqual(told, ['b']);
  t.deepEqual(said, ['info: files that have changed are in use']);
  t.deepEqual(successes, [1, 1]);
});

interface Damage {
  readonly title: string;
  readonly damage: (one: string, other: string) => void;
  readonly says: RegExp;
}

const DAMAGES: readonly Damage[] = [
  {title: 'missing', damage: one => rmSync(one), says: /^warn: .*: one names \/.*one, which does not exist$/},
  {
    title: 'no file',
    damage: one => {
      rmSync(one);
      mkdirSync(one);
    },
    says: /one names .*, which is no file$/,
  },
  {title: 'wrong together', damage: one => writeFileSync(one, 'b'), says: /: other differs from the first$/},
  {
    title: 'a link that leads in a circle',
    damage: one => {
      rmSync(one);
      symlinkSync(one, one);
    },
    says: /one names .*, which cannot be read: ELOOP/,
  },
];

for (const {title, damage, says} of DAMAGES) {
  test(`files that become ${title} leave what was good, with one warning, until they are good again`, async t => {
    const {one, other, write, said, successes, watch} = scene(t);
    write('a');
    const watched = watch(twins(one, other));
    watched.onChange(() => t.fail());
    damage(one, other);
    await until(() => said.length > 0);
    await sleep(1500);
    t.is(said.length, 1);
    t.regex(said[0] ?? '', says);
    t.is(watched.value, 'a');
    rmSync(one, {recursive: true, force: true});
    write('a');
    await until(() => said.length > 1);
    t.deepEqual(said.slice(1), ['info: files that have changed are in use']);
    t.deepEqual(successes, [1, 0, 1]);
  });
}

test('a link that is renamed changes both files at once, as Kubernetes does it', async t => {
  const {folder, said, watch} = scene(t);
  const version = (name: string, text: string): void => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'one'), text);
    writeFileSync(join(folder, name, 'other'), text);
    symlinkSync(name, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  version('..1', 'a');
  const watched = watch(twins(join(folder, '..data/one'), join(folder, '..data/other')));
  version('..2', 'b');
  await until(() => watched.value === 'b');
  t.deepEqual(said, ['info: files that have changed are in use']);
});

test('files that change all the time are taken as they are at some moment', async t => {
  const {one, other, write, watch} = scene(t);
  write('0');
  const watched = watch(twins(one, other));
  let count = 0;
  const writing = setInterval(() => write(`${++count}`), 30);
  t.teardown(() => clearInterval(writing));
  await until(() => watched.value !== '0');
  t.pass();
});

test('nothing is told after the end of the watch', async t => {
  const {one, other, write, said, watch} = scene(t);
  write('a');
  const watched = watch(twins(one, other));
  watched.close();
  write('b');
  await sleep(1500);
  t.is(watched.value, 'a');
  t.deepEqual(said, []);
});

test('files that cannot be used at first are refused, each with its key', t => {
  const {one, other, write, watch} = scene(t);
  const set = twins(one, other);
  t.deepEqual(readFiles(set), {
    mistakes: [
      {key: 'one', message: `names ${one}, which does not exist`},
      {key: 'other', message: `names ${other}, which does not exist`},
    ],
  });
  t.throws(() => watch(set), {message: /^one names .*; other names /});
  write('a');
  t.deepEqual(readFiles(set), {value: 'a'});
});
