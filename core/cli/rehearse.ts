import {stat, writeFile} from 'node:fs/promises';
import type {Logger} from '../api/telemetry.js';
import {ConfigError} from '../config/config-error.js';
import {parseDuration} from '../config/duration.js';
import type {GatewayConfig} from '../config/gateway-config.js';
import {loadConfig} from '../config/load.js';
import {placedStorages} from '../config/nested-storages.js';
import {exclusivesOf, isSameStorage} from '../host/held-storage.js';
import {type RehearsalSettings, rehearseAll} from '../rehearse/rehearsing.js';
import {htmlReport} from '../rehearse/report/html.js';
import {jsonReport} from '../rehearse/report/json.js';
import {summary} from '../rehearse/report/summary.js';
import {Stage} from '../rehearse/stage.js';
import {Tally} from '../rehearse/tally.js';
import {NoTraffic, readTraffic} from '../rehearse/traffic/read-traffic.js';
import type {RecordedRequest} from '../rehearse/traffic/recorded-request.js';
import {throughGateway} from '../remote/through-gateway.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {interruption} from './interruption.js';
import {type LoadInput, openInput} from './load/input.js';
import {Progress} from './load/progress.js';
import {createLog} from './log.js';
import {unstoredProblems} from './unstored.js';
import {unwritableProblems} from './unwritable.js';
import {logWarnings} from './warnings.js';

export interface RehearseOptions {
  readonly traffic: readonly string[];
  readonly old: string;
  readonly new: string;
  readonly report?: string;
  readonly tolerance: string;
  readonly shift?: boolean;
  readonly skipRecent: string;
}

const SIDES = ['old', 'new'] as const;
type Side = (typeof SIDES)[number];

/** Asks two storages what was recorded, and tells where their answers differ. */
export async function rehearse(options: RehearseOptions): Promise<number> {
  const settings = settingsOf(options);
  const configs = {old: await configOf('old', options.old), new: await configOf('new', options.new)};
  checkStorages(configs);
  checkStored(options, configs);
  const inputs = await openAll(options.traffic);
  await checkReport(options.report);
  const {signal, release} = interruption();
  const stages: Partial<Record<Side, Stage>> = {};
  const tally = new Tally();
  const progress = new Progress(inputs, 'requests');
  const begun = performance.now();
  try {
    for (const side of SIDES) stages[side] = await openStage(side, configs[side], signal);
    const {old, new: next} = stages as Record<Side, Stage>;
    const sides = {
      old: (question: Parameters<Stage['ask']>[0]) => old.ask(question, signal),
      new: (question: Parameters<Stage['ask']>[0]) => next.ask(question, signal),
    };
    await rehearseAll(trafficOf(inputs, progress, tally, signal), old.routes, sides, settings, tally);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof NoTraffic ? new ConfigError([{path: '--traffic', message: error.message}]) : error;
  } finally {
    progress.stop();
    for (const side of SIDES) await stages[side]?.stop();
    release();
  }
  process.stdout.write(summary(tally, (performance.now() - begun) / 1000));
  if (options.report !== undefined) await writeReport(options.report, tally);
  return tally.isFine ? EXIT.ok : EXIT.failed;
}

function settingsOf({tolerance: share, shift = false, skipRecent: recent}: RehearseOptions): RehearsalSettings {
  const tolerance = share.trim() === '' ? Number.NaN : Number(share);
  if (!(tolerance >= 0 && tolerance < 1))
    throw wrong('--tolerance', share, 'a number from 0 to less than 1, such as 1e-9');
  const skipRecent = parseDuration(recent);
  if (skipRecent === undefined) throw wrong('--skip-recent', recent, 'a duration such as 2m, or 0s');
  return {tolerance, shift, skipRecent};
}

function wrong(path: string, found: string, expected: string): ConfigError {
  return new ConfigError([{path, message: `found ${JSON.stringify(found)}, expected ${expected}`}]);
}

/** What is wrong with one of the two names it. */
async function configOf(side: Side, file: string): Promise<GatewayConfig> {
  try {
    const config = await loadConfig({file}, builtins);
    if (config.storage === undefined)
      throw new ConfigError([{path: 'storage', message: 'found none, so there is nothing to ask'}]);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const named = error.problems.map(({path, message}) => ({
      path: `--${side}`,
      message: path === '' ? message : `${file}: ${path}: ${message}`,
    }));
    throw new ConfigError(named);
  }
}

/** What only one of the two can have open. */
function opened({storage}: GatewayConfig): readonly string[] {
  const placed = storage === undefined ? [] : placedStorages(storage);
  return placed.flatMap(({storage: one}) => exclusivesOf(one).map(({what}) => what));
}

function checkStorages({old, new: next}: Readonly<Record<Side, GatewayConfig>>): void {
  const open = opened(old);
  const isSame = isSameStorage(old.storage, next.storage) || opened(next).some(what => open.includes(what));
  if (isSame)
    throw new ConfigError([
      {path: '--new', message: 'names the storage that --old names: there is nothing to compare'},
    ]);
}

function checkStored(files: Readonly<Record<Side, string>>, configs: Readonly<Record<Side, GatewayConfig>>): void {
  const problems = SIDES.flatMap(side => {
    const {storage} = configs[side];
    return storage === undefined ? [] : unstoredProblems(`--${side}`, files[side], storage);
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

async function openAll(paths: readonly string[]): Promise<readonly LoadInput[]> {
  return Promise.all(
    paths.map(path =>
      openInput(path).catch((error: Error) => {
        throw new ConfigError([{path: '--traffic', message: `${path}: ${error.message}`}]);
      }),
    ),
  );
}

async function checkReport(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const problems = [...(await unwritableProblems('--report', file))];
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) problems.push({path: '--report', message: `${file} cannot be written: it is a folder`});
  if (problems.length > 0) throw new ConfigError(problems);
}

async function writeReport(file: string, tally: Tally): Promise<void> {
  const text = /\.html?$/i.test(file) ? htmlReport(tally) : jsonReport(tally);
  await writeFile(file, text).catch((error: Error) => {
    throw new Error(`--report: ${file} cannot be written: ${error.message}`, {cause: error});
  });
}

async function openStage(side: Side, config: GatewayConfig, signal: AbortSignal): Promise<Stage> {
  const createLogger = createLog(config.logLevel);
  logWarnings(createLogger('gateway'));
  const loggerOf = (component: string): Logger => createLogger(`${side} ${component}`);
  const reached = throughGateway(config, process.env.QUERY_GATEWAY_TOKEN);
  return Stage.open(reached, loggerOf, signal).catch((cause: Error) => {
    throw new Error(`--${side}: ${cause.message}`, {cause});
  });
}

async function* trafficOf(
  inputs: readonly LoadInput[],
  progress: Progress,
  tally: Tally,
  signal: AbortSignal,
): AsyncGenerator<RecordedRequest> {
  for (const input of inputs) {
    const content = input.chunks(bytes => progress.read(bytes, tally.asked), signal);
    const passOver = (bad: string): void => {
      tally.bad.push(bad);
      progress.line(bad);
    };
    try {
      yield* readTraffic({name: input.name, content}, passOver);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoTraffic) throw error;
      // What a gateway was writing when it died ends somewhere: what came before it is good.
      passOver(`${input.name}: ${(error as Error).message}`);
    }
  }
}
