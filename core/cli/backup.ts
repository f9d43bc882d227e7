import type {AdapterDefinition} from '../api/adapter.js';
import {ConfigError} from '../config/config-error.js';
import {loadConfig} from '../config/load.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {interruption} from './interruption.js';
import {createLog} from './log.js';

/** Copies what the configured storage holds into a new folder, whether a gateway runs over it or not. */
export async function backup(target: string, {config: file}: {readonly config: string}): Promise<number> {
  const {storage, logLevel} = await loadConfig({file}, builtins);
  const {backup: copy} = storage?.definition ?? {};
  if (copy === undefined) throw new ConfigError([{path: 'storage.use', message: noBackup(storage?.definition)}]);
  const {signal, release} = interruption();
  const begun = performance.now();
  const {bytes} = await copy(storage?.config as never, target, {signal, log: createLog(logLevel)('backup')}).finally(
    release,
  );
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(`copied ${(bytes / 2 ** 20).toFixed(1)} MiB to ${target} in ${seconds} s, and found it sound\n`);
  return EXIT.ok;
}

function noBackup(definition: AdapterDefinition | undefined): string {
  if (definition === undefined) return 'found no storage, so there is nothing to copy';
  const {name, backupTools = 'the tools of its database'} = definition;
  return `found "${name}", which keeps its data in a database of its own; make backups with ${backupTools}`;
}
