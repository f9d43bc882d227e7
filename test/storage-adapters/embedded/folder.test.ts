import {execFileSync} from 'node:child_process';
import {mkdir, readdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {ConfigError} from '../../../core/config/config-error.js';
import {loadConfig} from '../../../core/config/load.js';
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

/** A path that has so many bytes together with the folder that it stands in. */
function longPath(bytes: number): (folder: string) => string {
  return folder => {
    const start = `${'x'.repeat(255)}/`;
    return start + 'y'.repeat(bytes - Buffer.byteLength(join(folder, start)));
  };
}

const paths: readonly (readonly [
  what: string,
  path: string | ((folder: string) => string),
  mistake: RegExp | undefined,
])[] = [
  ['with a character U+0000', 'a\0b', /found a character U\+0000/],
  [
    'with a name of 256 bytes',
    `above/${'\u00fc'.repeat(128)}/data`,
    /found a name of 256 bytes in it, expected at most 255/,
  ],
  ['of 490 bytes', longPath(490), /found 490 bytes, from "\/" on, expected at most 489/],
  ['of 489 bytes, with a name of 255', longPath(489), undefined],
];

for (const [what, pathIn, mistake] of paths) {
  test(`a path ${what} is ${mistake === undefined ? 'taken' : 'refused by check'}`, async t => {
    const folder = await temporaryFolder(t);
    const path = typeof pathIn === 'string' ? pathIn : pathIn(folder);
    const value = {storage: {use: 'embedded', config: {path}}, plugins: [{use: 'promql-subset'}]};
    const loaded = loadConfig({value, folder}, builtins, {});
    if (mistake === undefined) {
      await loaded;
      await t.notThrowsAsync(Harness.open({path: join(folder, path)}));
      return;
    }
    const {message} = (await t.throwsAsync(loaded, {instanceOf: ConfigError})) as Error;
    t.regex(message, /^storage\.config\.path: [^\n]*$/);
    t.regex(message, mistake);
  });
}

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
  ...['a plain file', 'a device'].map(what => ({
    what: `that is ${what}`,
    prepare: async (folder: string) => {
      if (what === 'a device') return '/dev/null';
      await writeFile(join(folder, 'file'), '');
      return join(folder, 'file');
    },
    message: new RegExp(
      `^the folder .* cannot be written: ENOTDIR: /.* is ${what.replace('plain ', '')} and no folder; .*storage\\.config\\.path`,
    ),
  })),
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
  {
    what: 'with a link to a database as gateway.db',
    prepare: async folder => {
      const harness = await Harness.open({path: join(folder, 'other')});
      await harness.storage.stop();
      await symlink(join(folder, 'other', 'gateway.db'), join(folder, 'gateway.db'));
      return folder;
    },
    message: /gateway\.db failed: it cannot be opened, because it is a symbolic link and no plain file/,
  },
  {
    what: 'with a folder as lock.pid',
    prepare: async folder => {
      await mkdir(join(folder, 'lock.pid'));
      return folder;
    },
    message: /lock\.pid, which names the process that holds the folder, cannot be made, because it is a folder/,
  },
];

for (const {what, prepare, message} of unusable) {
  test(`a path ${what} ends the start with an error that says so`, async t => {
    const path = await prepare(await temporaryFolder(t));
    t.like(await t.throwsAsync(new Harness({path}).start(), {message}), {code: 'storage_failed'});
  });
}
