import {execFile} from 'node:child_process';
import {cp, mkdir, readdir, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {type Owner, scratchFolder} from './gateway.js';

const ROOT = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)));
const PACKAGES = join(ROOT, 'test/fixtures/packages');
/** What the packages take from npm; here from this repository, so that nothing is fetched. */
const DEVELOPMENT = ['.bin', '@types', 'ava', 'typescript', 'undici-types'];

const run = promisify(execFile);

/** The output of an npm command, run as a user runs it: without what this run of npm has put into the environment. */
export async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = {...Object.fromEntries(own), npm_config_offline: 'true', npm_config_update_notifier: 'false'};
  try {
    const {stdout, stderr} = await run('npm', args, {cwd: folder, env, maxBuffer: 2 ** 24});
    return stdout + stderr;
  } catch (error) {
    const {message, stdout, stderr} = error as Error & {stdout: string; stderr: string};
    throw new Error(`${message}\n${stdout}\n${stderr}`);
  }
}

/** What a program prints that lies in a folder. */
export async function runNode(folder: string, program: string): Promise<string> {
  return (await run(process.execPath, [program], {cwd: folder})).stdout;
}

/** What has become of the compiled library that the embedded storage needs. */
export type Sqlite = 'not installed' | 'not built' | 'broken';

/** This gateway as npm leaves it where better-sqlite3 cannot be used; gives the program. Everything else is linked. */
export async function gatewayWithout(t: Owner, sqlite: Sqlite): Promise<string> {
  const folder = join(await scratchFolder(t), 'node_modules');
  const home = join(folder, 'query-gateway');
  await mkdir(home, {recursive: true});
  await cp(join(ROOT, 'package.json'), join(home, 'package.json'));
  for (const part of ['core', 'plugins', 'storage-adapters', 'diagnostics-agent']) {
    await cp(join(ROOT, 'dist', part), join(home, 'dist', part), {recursive: true});
  }
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== 'better-sqlite3') await symlink(join(ROOT, 'node_modules', name), join(folder, name));
  }
  if (sqlite !== 'not installed') {
    const library = join(folder, 'better-sqlite3');
    for (const part of ['lib', 'package.json']) {
      await cp(join(ROOT, 'node_modules/better-sqlite3', part), join(library, part), {recursive: true});
    }
    if (sqlite === 'broken') {
      await mkdir(join(library, 'build'));
      await writeFile(join(library, 'build/better_sqlite3.node'), 'no library of this machine');
    }
  }
  return join(home, 'dist/core/cli/main.js');
}

/** A copy of a third party's package, outside of this repository, with what it takes from npm. */
export async function openPackage(t: Owner, name: string): Promise<string> {
  const folder = join(await scratchFolder(t), name);
  await cp(join(PACKAGES, name), folder, {recursive: true});
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/query-gateway'));
  for (const dependency of DEVELOPMENT) {
    await symlink(join(ROOT, 'node_modules', dependency), join(folder, 'node_modules', dependency));
  }
  return folder;
}

/** Builds a third party's package, and packs it into a folder. */
export async function packPackage(folder: string, into: string): Promise<void> {
  await npm(folder, 'run', 'build');
  await npm(folder, 'pack', '--pack-destination', into);
}

/** Packs this gateway as it is built. */
export async function packGateway(into: string): Promise<void> {
  await npm(ROOT, 'pack', '--ignore-scripts', '--pack-destination', into);
}

/** The files of the package of this gateway, as paths from its folder. */
export async function packedFiles(): Promise<readonly string[]> {
  const listed = JSON.parse(await npm(ROOT, 'pack', '--ignore-scripts', '--dry-run', '--json', '--loglevel=error'));
  const {files} = (Array.isArray(listed) ? listed[0] : Object.values(listed)[0]) as {readonly files: {path: string}[]};
  return files.map(({path}) => path);
}

/** Puts the gateway into the folder as its package has it, in place of this repository. */
export async function usePackedGateway(t: Owner, folder: string): Promise<void> {
  const archive = await scratchFolder(t);
  await npm(ROOT, 'pack', '--ignore-scripts', '--pack-destination', archive);
  const target = join(folder, 'node_modules/query-gateway');
  await rm(target);
  await mkdir(target);
  await run('tar', ['-xzf', join(archive, await tarballIn(archive)), '-C', target, '--strip-components=1']);
  await symlink(join(ROOT, 'node_modules'), join(target, 'node_modules'));
}

/** Builds, packs and installs a third party's package as its user does, and gives the folder that it is installed in. */
export async function installPackage(t: Owner, folder: string): Promise<string> {
  const site = await scratchFolder(t);
  // Without it npm would look for a project in the folders above, and install there.
  await writeFile(join(site, 'package.json'), '{"private": true}');
  await packPackage(folder, site);
  // The gateway is a peer, and no registry has it here: it is put in its place by hand.
  await npm(site, 'install', '--legacy-peer-deps', '--no-audit', '--no-fund', `./${await tarballIn(site)}`);
  await symlink(ROOT, join(site, 'node_modules/query-gateway'));
  return site;
}

async function tarballIn(folder: string): Promise<string> {
  const found = (await readdir(folder)).find(file => file.endsWith('.tgz'));
  if (found === undefined) throw new Error(`npm pack has left no archive in ${folder}`);
  return found;
}
