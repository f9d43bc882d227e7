import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {RIGHTS} from '../api/access.js';
import type {AdapterDefinition} from '../api/adapter.js';
import {CAPABILITY_NAMES} from '../api/capabilities.js';
import type {PluginDefinition} from '../api/plugin.js';
import {didYouMean, listOf, quote} from '../toolkit/messages.js';

/** Built-in name → the import of its module. */
export type ModuleTable = Readonly<Record<string, () => Promise<{readonly default: unknown}>>>;

/** The components that `use` may name without a path or a package. */
export interface Builtins {
  readonly plugins: ModuleTable;
  readonly adapters: ModuleTable;
}

/** The definition of each kind of component. */
export interface Definitions {
  readonly plugin: PluginDefinition;
  readonly 'storage-adapter': AdapterDefinition;
}

const API_VERSION = 1;
/** This version of the contract and the one before it. */
const ACCEPTED_VERSIONS = [API_VERSION, API_VERSION - 1].filter(version => version >= 1);

/**
 * The definition that `use` names: a built-in, a path from `folder`, or an npm package as resolved from there. Throws an
 * `Error` whose message says what is wrong with `use`.
 */
export async function loadDefinition<Kind extends keyof Definitions>(
  kind: Kind,
  use: string,
  builtins: ModuleTable,
  folder: string,
): Promise<Definitions[Kind]> {
  const builtin = Object.hasOwn(builtins, use) ? builtins[use] : undefined;
  const module = await (builtin === undefined ? importFrom(use, kind, builtins, folder) : builtin());
  return checkDefinition(kind, use, module);
}

async function importFrom(use: string, kind: string, builtins: ModuleTable, folder: string): Promise<unknown> {
  let file: string;
  try {
    file = locate(use, folder);
  } catch {
    const names = Object.keys(builtins);
    const tried = isPath(use)
      ? `no module is found at ${resolve(folder, use)}`
      : `found "${use}", expected a built-in ${kind} (${names.join(', ')}), a path that begins with ./, or an npm package installed at ${folder}`;
    throw new Error(tried + didYouMean(use, names));
  }
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new Error(`${file} does not load: ${reasonOf(error, file)}`, {cause: error});
  }
}

/** What was thrown while a module loaded, and where the syntax is wrong, or how that is found: errors rarely say it. */
function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `it has thrown ${JSON.stringify(error) ?? String(error)}`;
  if (!(error instanceof SyntaxError)) return error.message;
  const [, url, line] = /^(file:\S+):(\d+)\n/.exec(error.stack ?? '') ?? [];
  const place = url === undefined ? `node --check ${file} shows where` : `${fileURLToPath(url)}, line ${line}`;
  return `${error.message} (${place})`;
}

function locate(use: string, folder: string): string {
  const require = createRequire(join(folder, 'gateway.config.json'));
  try {
    return require.resolve(use);
  } catch (error) {
    // A package that exports to `import` alone is closed to `require`, and Node 20 has no other way to resolve from a
    // folder that is not our own.
    const file =
      (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' ? importEntry(use, require) : undefined;
    if (file === undefined) throw error;
    return file;
  }
}

/** The file that a package's `exports` gives to `import`, for the package itself or one of its sub-paths. */
function importEntry(use: string, require: NodeJS.Require): string | undefined {
  const [, name = use, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(use) ?? [];
  for (const modules of require.resolve.paths(use) ?? []) {
    const manifest = join(modules, name, 'package.json');
    if (!existsSync(manifest)) continue;
    const {exports} = JSON.parse(readFileSync(manifest, 'utf8')) as {exports?: unknown};
    const target = condition(rest === '' ? (property(exports, '.') ?? exports) : property(exports, `.${rest}`));
    return target === undefined ? undefined : join(dirname(manifest), target);
  }
  return undefined;
}

function condition(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  const chosen = property(target, 'node') ?? property(target, 'import') ?? property(target, 'default');
  return chosen === undefined ? undefined : condition(chosen);
}

function checkDefinition<Kind extends keyof Definitions>(kind: Kind, use: string, module: unknown): Definitions[Kind] {
  // A CommonJS module comes as the default of its namespace, with a default of its own when it was compiled from ESM.
  const exported = property(module, 'default');
  const definition = property(exported, 'kind') === undefined ? property(exported, 'default') : exported;
  const found = property(definition, 'kind');
  if (found !== kind) {
    const what =
      found === undefined ? 'has no default export that is a definition' : `is of the kind ${JSON.stringify(found)}`;
    throw new Error(`"${use}" ${what}; expected the kind "${kind}"`);
  }
  const version = property(definition, 'apiVersion');
  if (!ACCEPTED_VERSIONS.includes(version as number)) {
    const accepted = ACCEPTED_VERSIONS.join(' or ');
    throw new Error(`"${use}" has apiVersion ${JSON.stringify(version)}; this gateway accepts ${accepted}`);
  }
  const missing = MEMBERS[kind]
    .filter(([name, type]) => typeof (property(definition, name) ?? undefined) !== type)
    .map(([name]) => name);
  if (missing.length > 0) throw new Error(`the definition of "${use}" lacks ${missing.join(', ')}`);
  const mistakes = kind === 'plugin' ? pluginMistakes(definition as PluginDefinition) : [];
  if (mistakes.length > 0) throw new Error(`the definition of "${use}" ${mistakes.join('; ')}`);
  return definition as Definitions[Kind];
}

const NEEDS: readonly string[] = [...RIGHTS, 'open'];

/** What a plugin's definition has in place of what it should. */
function pluginMistakes({requires, optional = [], listener, main, right}: PluginDefinition): readonly string[] {
  const lists = Object.entries({requires, optional});
  const noLists = lists.filter(([, list]) => !Array.isArray(list)).map(([key]) => `has no list as "${key}"`);
  const asked = noLists.length > 0 ? [] : [...requires, ...optional];
  const known: readonly string[] = CAPABILITY_NAMES;
  return [
    ...noLists,
    ...asked
      .filter(name => !known.includes(name))
      .map(
        name => `asks for "${name}", which is no capability that this gateway knows${didYouMean(String(name), known)}`,
      ),
    ...(['name', 'host', 'prefix'] as const)
      .filter(key => typeof listener[key] !== 'string')
      .map(key => `has no text as "listener.${key}"`),
    ...(typeof listener.port === 'number' ? [] : ['has no number as "listener.port"']),
    ...(right === undefined || NEEDS.includes(right)
      ? []
      : [`has the right ${quote(right)}, expected ${listOf(NEEDS, 'or')}${didYouMean(String(right), NEEDS)}`]),
    ...(isClass(main) ? [] : ['has a "main" that is no class']),
  ];
}

function isClass(value: unknown): boolean {
  try {
    Reflect.construct(Object, [], value as new () => object);
    return true;
  } catch {
    return false;
  }
}

const MEMBERS: Readonly<Record<keyof Definitions, readonly (readonly [name: string, type: string])[]>> = {
  plugin: [
    ['name', 'string'],
    ['requires', 'object'],
    ['configSchema', 'object'],
    ['listener', 'object'],
    ['renderError', 'function'],
    ['main', 'function'],
  ],
  'storage-adapter': [
    ['name', 'string'],
    ['configSchema', 'object'],
    ['create', 'function'],
  ],
};

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function isPath(use: string): boolean {
  return /^\.{0,2}\//.test(use);
}
