import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

const run = promisify(execFile);

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Walks through the paths in order, each of wrk's threads from a place of its own. */
const SCRIPT = `
local paths = {}
for line in io.lines(os.getenv("BENCH_PATHS")) do paths[#paths + 1] = line end
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
done = function(summary, latency, requests)
  io.write(string.format("RESULT %f %f %f %d\\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
`;

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Asks `base` for the paths with wrk, in a process of its own, and reads its result. Throws when a request fails: a
 * benchmark of errors is worth nothing.
 */
export async function load(base: string, paths: readonly string[], options: LoadOptions): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-wrk-'));
  try {
    await writeFile(join(folder, 'paths'), paths.join('\n'));
    await writeFile(join(folder, 'script.lua'), SCRIPT);
    const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const {stdout} = await run(
      'wrk',
      [
        '-t1',
        `-c${options.connections}`,
        `-d${options.seconds}s`,
        '--timeout',
        '20s',
        '-s',
        join(folder, 'script.lua'),
        ...headers,
        base,
      ],
      {env: {...process.env, BENCH_PATHS: join(folder, 'paths')}},
    );
    const found = /RESULT (\S+) (\S+) (\S+) (\d+)/.exec(stdout);
    if (found === null) throw new Error(`wrk printed no result:\n${stdout}`);
    const [requestsPerSecond = 0, p50 = 0, p99 = 0, failed = 0] = found.slice(1).map(Number);
    if (failed > 0) throw new Error(`${failed} requests failed on ${base}${paths[0]}`);
    return {requestsPerSecond, p50, p99};
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
