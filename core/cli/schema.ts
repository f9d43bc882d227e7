import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {parseJson} from '../config/json.js';
import {configSchema, namedComponents} from '../config/schema.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';

/** Prints the schema of the configuration: of the built-in components, and of those that the file names. */
export async function schema({config: file}: {readonly config: string}): Promise<number> {
  const source = await readFile(file, 'utf8').catch(() => '{}');
  const components = await namedComponents(parseJson(source), builtins, dirname(resolve(file)));
  process.stdout.write(`${JSON.stringify(configSchema(components), null, 2)}\n`);
  return EXIT.ok;
}
