import {execFileSync} from 'node:child_process';
import {mkdir, readdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {Harness, temporaryFolder} from './harness.js';

test('only the owner may look into the folder and read the files', async t => {
  const path = join(await temporaryFolder(t), 'above', 'data');
  await Harness.open({path});
  const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
  t.is(await modeOf(path), '700');
  for (const name of await readdir(path)) t.is(await modeOf(join(path, name)), '600', name);
});

test('where lock.pid is a link, what it leads to stays as it is', async t => {
  const folder = await temporaryFolder(t);
  const target = join(folder, 'target');
  const path = join(folder, 'data');
  await mkdir(path);
  await writeFile(target, 'precious');
  await symlink(target, join(path, 'lock.pid'));
  await Harness.open({path});
  t.is(await readFile(target, 'utf8'), 'precious');
  t.is((await readFile(join(path, 'lock.pid'), 'utf8')).split('\n')[0], String(process.pid));
});

const unusable: readonly {
  readonly what: string;
  /** Gives the path of the storage. */
  readonly prepare: (folder: string) => Promise<string>;
  readonly message: RegExp;
}[] = [
  {
    what: 'in /proc',
    prepare: async () => '/proc/nope/data',
    message: /\/proc\/nope\/data .* cannot be written: ENOENT/,
  },
  {what: 'below a device', prepare: async () => '/dev/null/data', message: /cannot be written: ENOTDIR/},
  {
    what: 'with a name that is too long',
    prepare: async folder => join(folder, 'x'.repeat(256)),
    message: /cannot be written: ENAMETOOLONG/,
  },
  {
    what: 'that is a named pipe',
    prepare: async folder => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      return join(folder, 'pipe');
    },
    message: /pipe is a named pipe/,
  },
  {
    what: 'that is a link to nothing',
    prepare: async folder => {
      await symlink(join(folder, 'nothing'), join(folder, 'link'));
      return join(folder, 'link');
    },
    message: /link is a symbolic link to nothing/,
  },
  ...['gateway.db', 'gateway.db-wal', 'lock.db'].map(name => ({
    what: `with a named pipe as ${name}`,
    prepare: async (folder: string) => {
      execFileSync('mkfifo', [join(folder, name)]);
      return folder;
    },
    message: new RegExp(`${name} failed: it cannot be opened, because it is a named pipe`),
  })),
  {
    what: 'with a link as lock.db',
    prepare: async folder => {
      await writeFile(join(folder, 'target'), '');
      await symlink(join(folder, 'target'), join(folder, 'lock.db'));
      return folder;
    },
    message: /lock\.db failed: it cannot be opened, because it is a symbolic link/,
  },
];

for (const {what, prepare, message} of unusable) {
  test(`a path ${what} ends the start with an error that says so`, async t => {
    const path = await prepare(await temporaryFolder(t));
    t.like(await t.throwsAsync(new Harness({path}).start(), {message}), {code: 'storage_failed'});
  });
}
