import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {AdapterDefinition} from '../api/adapter.js';
import type {JsonSchema} from '../api/json-schema.js';
import {JsonSyntaxError, parseJson} from '../toolkit/json.js';
import {didYouMean} from '../toolkit/messages.js';
import type {AccessConfig} from './access.js';
import {ConfigError, Problems} from './config-error.js';
import {checkAccess, checkTlsFiles} from './credential-files.js';
import {ENVELOPE, entrySchema} from './envelope.js';
import type {GatewayConfig, Limits, PluginConfig, StorageConfig} from './gateway-config.js';
import {keyPath} from './key-path.js';
import {checkPrefixes, type PluginEntry, resolveListeners} from './listeners.js';
import {type Builtins, type Definitions, loadDefinition} from './load-module.js';
import {storageKeys} from './nested-storages.js';
import type {NormalizeContext} from './normalize.js';
import {type Environment, expandPlaceholders, processEnvironment} from './placeholders.js';
import type {RecordConfig} from './record.js';
import {checkSocketAccess} from './socket-access.js';
import {validate} from './validate.js';
import {checkWorkers, countOf} from './workers.js';

/** A configuration file, or the same content as a value with the folder from which its paths and packages are found. */
export type ConfigSource = {readonly file: string} | {readonly value: unknown; readonly folder: string};

type Fields = Readonly<Record<string, unknown>>;

type EntryKeys = Pick<PluginConfig, 'listener' | 'prefix' | 'enabled' | 'required'>;

interface LoadContext extends NormalizeContext {
  readonly builtins: Builtins;
}

/** Loads and validates everything. Rejects with one `ConfigError` that carries every problem. */
export async function loadConfig(
  source: ConfigSource,
  builtins: Builtins,
  environment: Environment = processEnvironment,
): Promise<GatewayConfig> {
  const problems = new Problems();
  const folder = 'file' in source ? dirname(resolve(source.file)) : source.folder;
  const raw = 'file' in source ? await readConfig(source.file) : source.value;
  const context: LoadContext = {environment, folder, problems, builtins};

  const expanded = expandPlaceholders(raw, '', environment, problems);
  const envelope = fields(validate(ENVELOPE, withoutConfigs(expanded), '', context));
  const storage = await loadStorage(fields(expanded).storage, 'storage', envelope, context);
  const entries = await loadPlugins(fields(expanded).plugins, context);
  const listeners = resolveListeners(fields(expanded).listeners, entries, context);
  checkPrefixes(entries, problems);
  const access = envelope.access as AccessConfig | undefined;
  checkAccess(access, problems);
  checkTlsFiles(listeners, problems);
  checkSocketAccess(entries, access, problems);
  checkWorkers(envelope.workers, storage, problems);
  if (fields(expanded).storage === undefined) checkRequired(entries, problems);
  problems.throwIfAny();

  return Object.freeze({
    listeners,
    access,
    storage,
    plugins: entries.map(({plugin}) => plugin),
    limits: envelope.limits as Limits,
    ...(envelope.record !== undefined && {record: envelope.record as RecordConfig}),
    workers: countOf(envelope.workers as Parameters<typeof countOf>[0]),
    startTimeout: envelope.startTimeout as number,
    shutdownTimeout: envelope.shutdownTimeout as number,
    logLevel: envelope.logLevel as GatewayConfig['logLevel'],
  });
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; --config names the configuration',
  ENOTDIR: 'there is no such file; --config names the configuration',
  EISDIR: 'this is a folder; expected a configuration file',
  EACCES: 'this user may not read the file',
};

/** The content of a configuration file, as it stands there. Rejects with a `ConfigError`. */
export async function readConfig(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    throw new ConfigError([{path: '', message: `${file}: ${READ_ERRORS[code ?? ''] ?? `cannot be read: ${message}`}`}]);
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ConfigError([{path: '', message: `${file} is not JSON: ${error.message}`}]);
  }
}

/** The envelope alone: what a component's `config` holds is for the component's own schema. */
function withoutConfigs(value: unknown): unknown {
  if (!isFields(value)) return value;
  const {storage, plugins} = value;
  return {
    ...value,
    ...(isFields(storage) && {storage: withoutConfig(storage)}),
    ...(Array.isArray(plugins) && {plugins: plugins.map(entry => (isFields(entry) ? withoutConfig(entry) : entry))}),
  };
}

/** A `config` that is no object stays, to be reported. */
function withoutConfig({config, ...entry}: Fields): Fields {
  return config === undefined || isFields(config) ? entry : {...entry, config};
}

async function loadStorage(
  entry: unknown,
  path: string,
  envelope: Fields,
  context: LoadContext,
): Promise<StorageConfig | undefined> {
  const use = nameOf(entry);
  if (use === undefined) return undefined;
  const definition = await load('storage-adapter', use, path, context);
  if (definition === undefined) return undefined;
  const {configSchema} = definition;
  const at = `${path}.config`;
  const given = fields(fields(entry).config);
  const keys = storageKeys(configSchema).filter(key => isFields(given[key]));
  const own = {...given, ...Object.fromEntries(keys.map(key => [key, withoutConfig(given[key] as Fields)]))};
  const settled = validate(configSchema, own, at, context);
  checkBounds(configSchema, given, fields(settled), at, envelope, context);
  const nested: Record<string, StorageConfig | undefined> = {};
  for (const key of keys) nested[key] = await loadStorage(given[key], keyPath(at, key), envelope, context);
  const config = keys.length === 0 ? settled : Object.freeze({...fields(settled), ...nested});
  checkFurther(definition, config, at, context);
  return Object.freeze({use, definition, config});
}

async function loadPlugins(entries: unknown, context: LoadContext): Promise<readonly PluginEntry[]> {
  const plugins: PluginEntry[] = [];
  const occurrences = new Map<string, number>();
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const path = `plugins[${index}]`;
    const use = nameOf(entry);
    if (use === undefined) continue;
    const definition = await load('plugin', use, path, context);
    if (definition === undefined) continue;
    const {use: _, config, ...keys} = fields(entry);
    const entryKeys = validate(entrySchema(definition), keys, path, context) as EntryKeys;
    const ownConfig = validate(definition.configSchema, fields(config), `${path}.config`, context);
    const occurrence = (occurrences.get(definition.name) ?? 0) + 1;
    occurrences.set(definition.name, occurrence);
    const plugin: PluginConfig = {
      ...entryKeys,
      id: occurrence === 1 ? definition.name : `${definition.name}-${occurrence}`,
      prefix: `/${String(entryKeys.prefix).replace(/^\/+|\/+$/g, '')}`,
      definition,
      config: ownConfig,
    };
    checkFurther(definition, ownConfig, `${path}.config`, context);
    plugins.push({path, plugin});
  }
  return plugins;
}

/** Times of the storage that contradict one of the gateway, where the file gives them: a default contradicts nothing. */
function checkBounds(
  schema: JsonSchema,
  given: Fields,
  config: Fields,
  at: string,
  envelope: Fields,
  {problems}: LoadContext,
): void {
  for (const [key, {'x-at-most': bound}] of Object.entries(fields(schema.properties) as Record<string, JsonSchema>)) {
    if (typeof bound !== 'string' || !Object.hasOwn(given, key)) continue;
    const [value, most] = [config[key], envelope[bound]];
    if (typeof value !== 'number' || typeof most !== 'number' || value <= most) continue;
    const path = keyPath(at, key);
    const found = problems.written(path) ?? `${value} ms`;
    problems.add(path, `found ${found}, expected at most ${bound}, ${most} ms`);
  }
}

/** A plugin that must not be without a capability, where there is nothing that could have one. */
function checkRequired(entries: readonly PluginEntry[], problems: Problems): void {
  for (const {path, plugin} of entries) {
    const {enabled, required, definition} = plugin;
    if (!enabled || !required || definition.requires.length === 0) continue;
    problems.add(
      `${path}.required`,
      `found true, and there is no "storage" to supply ${definition.requires.join(', ')}; expected one, or false`,
    );
  }
}

/** Asks the component about a configuration that fits its schema. */
function checkFurther(
  {checkConfig}: Pick<AdapterDefinition, 'checkConfig'>,
  config: unknown,
  path: string,
  {problems}: LoadContext,
): void {
  if (checkConfig === undefined || problems.hasWithin(path)) return;
  for (const {key, message, near} of checkConfig(config as never)) {
    problems.add(`${path}.${key}`, near === undefined ? message : message + didYouMean(near.found, near.among));
  }
}

async function load<Kind extends keyof Definitions>(
  kind: Kind,
  use: string,
  path: string,
  {folder, problems, builtins}: LoadContext,
): Promise<Definitions[Kind] | undefined> {
  const table = kind === 'plugin' ? builtins.plugins : builtins.adapters;
  return loadDefinition(kind, use, table, folder).catch((error: Error) => {
    problems.add(`${path}.use`, error.message);
    return undefined;
  });
}

function nameOf(entry: unknown): string | undefined {
  const {use} = fields(entry);
  // `use` may be a placeholder too.
  const name = typeof use === 'object' ? fields(use).text : use;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
