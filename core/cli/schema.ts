import {existsSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import type {Command} from 'commander';
import {readConfig} from '../config/load.js';
import {configSchema, namedComponents} from '../config/schema.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';

/**
 * Prints the schema of the configuration: of the built-in components, and of those that the file names. Before there is
 * any file, the schema is what one is written with.
 */
export async function schema({config: file}: {readonly config: string}, command: Command): Promise<number> {
  const isAsked = command.getOptionValueSource('config') !== 'default';
  const value = isAsked || existsSync(file) ? await readConfig(file) : {};
  const components = await namedComponents(value, builtins, dirname(resolve(file)));
  process.stdout.write(`${JSON.stringify(configSchema(components), null, 2)}\n`);
  return EXIT.ok;
}
