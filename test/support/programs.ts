import {accessSync, constants, existsSync, readdirSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext, TestFn} from 'ava';

/** The test-only package with the current ClickHouse engine; see its README. */
export const CHDB_PACKAGE = fileURLToPath(new URL('../../../test/fixtures/chdb', import.meta.url));

/** Where each program that a suite may start is found, and what brings it. */
const PROGRAMS = {
  promtool: {find: () => onPath('promtool'), from: 'Debian package prometheus'},
  prometheus: {find: () => onPath('prometheus'), from: 'Debian package prometheus'},
  openssl: {find: () => onPath('openssl'), from: 'Debian package openssl'},
  chromium: {find: () => onPath('chromium'), from: 'Debian package chromium'},
  'systemd-analyze': {find: () => onPath('systemd-analyze'), from: 'Debian package systemd'},
  ss: {find: () => onPath('ss'), from: 'Debian package iproute2'},
  'clickhouse-server': {find: () => onPath('clickhouse-server'), from: 'Debian package clickhouse-server'},
  postgres: {find: () => onPath('postgres', ...postgresFolders()), from: 'Debian package postgresql'},
  zookeeper: {
    find: () => onPath('java') && existing('/usr/share/java/zookeeper.jar'),
    from: 'Debian package zookeeper',
  },
  chdb: {
    find: () => existing(join(CHDB_PACKAGE, 'node_modules/chdb/package.json')),
    from: 'npm ci --ignore-scripts --prefix test/fixtures/chdb',
  },
} as const;

export type Program = keyof typeof PROGRAMS;

const SERVERS: ReadonlySet<Program> = new Set([
  'promtool',
  'prometheus',
  'chromium',
  'clickhouse-server',
  'postgres',
  'zookeeper',
  'chdb',
]);

/** The file of the program, or undefined where it is not installed, or where `SERVERS=none` says to do as if it were not. */
export function locate(program: Program): string | undefined {
  if (process.env.SERVERS === 'none' && SERVERS.has(program)) return undefined;
  return PROGRAMS[program].find();
}

/** The file of a program without which nothing works. */
export function located(program: Program): string {
  const found = locate(program);
  if (found === undefined) throw new Error(`${program} is not installed (${PROGRAMS[program].from})`);
  return found;
}

/**
 * Declares tests that run real programs of other projects. Where one is missing a single test says so and is skipped,
 * with the reason in its title; with `REQUIRE_SERVERS=1`, as in CI, it fails instead.
 */
export function suiteWith(
  test: TestFn,
  needed: Program | readonly Program[],
  title: string,
  declare: () => void,
): void {
  const missing = [needed].flat().filter(program => locate(program) === undefined);
  const missed = missing.map(program => `${program} is not installed (${PROGRAMS[program].from})`).join(', ');
  suiteUnless(test, missing.length === 0 ? undefined : missed, title, declare);
}

/** The same for whatever else the tests may lack here: what that is, or undefined where it is all there. */
export function suiteUnless(test: TestFn, reason: string | undefined, title: string, declare: () => void): void {
  if (reason === undefined) declare();
  else if (process.env.REQUIRE_SERVERS === '1') test(title, t => t.fail(reason));
  else test.skip(`${title} (skipped: ${reason})`, t => t.fail(reason));
}

/** Declares one such test. */
export function testWith(
  test: TestFn,
  needed: Program | readonly Program[],
  title: string,
  body: (t: ExecutionContext) => Promise<void>,
): void {
  suiteWith(test, needed, title, () => test(title, body));
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}

/** Servers are often kept where only root's path leads. */
function onPath(name: string, ...folders: readonly string[]): string | undefined {
  const all = [...folders, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return all.map(folder => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian keeps each major version in a folder of its own; the newest comes first. */
function postgresFolders(): readonly string[] {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions.sort((a, b) => Number(b) - Number(a)).map(version => join(root, version, 'bin'));
}
