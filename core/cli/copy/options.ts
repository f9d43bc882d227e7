import {basename, dirname, join} from 'node:path';
import {ConfigError, type Problem} from '../../config/config-error.js';
import type {GatewayConfig, StorageConfig} from '../../config/gateway-config.js';
import {loadConfig} from '../../config/load.js';
import type {CopyKind} from '../../copy/kind.js';
import {COPY_KINDS} from '../../copy/kinds.js';
import {placesOf} from '../../copy/storage-name.js';
import {throughGateway} from '../../remote/through-gateway.js';
import {didYouMean, listOf, quote} from '../../toolkit/messages.js';
import {unixSeconds} from '../../toolkit/unix-seconds.js';
import {builtins} from '../builtins.js';
import {unstoredProblems} from '../unstored.js';
import {unwritableProblems} from '../unwritable.js';

/** As they stand on the command line. */
export interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly since?: string;
  readonly until?: string;
  readonly only?: string;
  readonly checkpoint?: string;
  readonly dryRun?: boolean;
  readonly verify?: boolean;
  readonly rate?: string;
}

/** A configuration that has a storage. */
export interface Side extends GatewayConfig {
  readonly storage: StorageConfig;
}

export interface CopySettings {
  readonly from: Side;
  readonly to: Side;
  /** Unix seconds; `from` included, `to` not. */
  readonly window: {readonly from?: number; readonly to?: number};
  readonly kinds: readonly CopyKind[];
  /** The kinds were asked for by name. */
  readonly named: boolean;
  readonly checkpoint: string;
  readonly rate: number | undefined;
}

const TIME = 'expected a time in RFC 3339 such as 2026-01-31T08:00:00Z, or in whole Unix seconds';

/** Reads the flags and both configurations. Rejects with every mistake in them. */
export async function readSettings(flags: CopyFlags): Promise<CopySettings> {
  const problems: Problem[] = [];
  const wrong = (flag: string, found: string, expected: string): undefined => {
    problems.push({path: flag, message: `found ${quote(found)}, ${expected}`});
    return undefined;
  };
  const time = (flag: string, text: string | undefined): number | undefined =>
    text === undefined ? undefined : (timeIn(text) ?? wrong(flag, text, TIME));
  const [since, until] = [time('--since', flags.since), time('--until', flags.until)];
  if (since !== undefined && until !== undefined && until <= since) {
    wrong('--until', flags.until ?? '', `expected a time after --since, ${quote(flags.since)}`);
  }
  const names = flags.only?.split(',').map(name => name.trim());
  const known = COPY_KINDS.map(({name}) => name);
  for (const name of names ?? []) {
    if (!known.includes(name)) wrong('--only', name, `expected some of ${listOf(known)}${didYouMean(name, known)}`);
  }
  const rate = flags.rate === undefined ? undefined : Number(flags.rate);
  if (rate !== undefined && !(Number.isSafeInteger(rate) && rate > 0)) {
    wrong('--rate', flags.rate ?? '', 'expected a whole number of samples and spans a second, from 1');
  }
  if (flags.dryRun === true && flags.verify === true)
    problems.push({path: '--verify', message: 'found beside --dry-run, expected one of them'});
  const [from, to] = [await sideOf('--from', flags.from, problems), await sideOf('--to', flags.to, problems)];
  if (from !== undefined && to !== undefined) {
    const same = placesOf(from.storage).find(place => placesOf(to.storage).includes(place));
    if (same !== undefined) problems.push({path: '--to', message: `its storage is that of --from, ${same}`});
  }
  if (from !== undefined && to !== undefined && problems.length === 0) {
    problems.push(...unstoredProblems('--from', flags.from, from.storage));
    if (flags.verify === true) problems.push(...unstoredProblems('--to', flags.to, to.storage));
  }
  const checkpoint = flags.checkpoint ?? join(dirname(flags.to), `${basename(flags.to)}.copy-checkpoint`);
  if (flags.dryRun !== true && flags.verify !== true)
    problems.push(...(await unwritableProblems('--checkpoint', checkpoint)));
  if (problems.length > 0 || from === undefined || to === undefined) throw new ConfigError(problems);
  return {
    from,
    to,
    window: {...(since !== undefined && {from: since}), ...(until !== undefined && {to: until})},
    kinds: COPY_KINDS.filter(({name}) => names?.includes(name) ?? true),
    named: names !== undefined,
    checkpoint,
    rate,
  };
}

function timeIn(text: string): number | undefined {
  return unixSeconds(/^\d+$/.test(text) ? Number(text) : text);
}

/** With the file before each key, as there are two. */
async function sideOf(flag: string, file: string, problems: Problem[]): Promise<Side | undefined> {
  try {
    const config = throughGateway(await loadConfig({file}, builtins), process.env.QUERY_GATEWAY_TOKEN);
    const {storage} = config;
    if (storage !== undefined) return {...config, storage};
    problems.push({path: flag, message: `${file} has no "storage"`});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const {path, message} of error.problems) {
      problems.push({path: flag, message: path === '' ? message : `${file}: ${path}: ${message}`});
    }
  }
  return undefined;
}
