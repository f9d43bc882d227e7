import type {AdapterDefinition} from '../api/adapter.js';
import type {JsonSchema} from '../api/json-schema.js';
import type {PluginDefinition} from '../api/plugin.js';
import {Problems} from './config-error.js';
import {ENVELOPE} from './envelope.js';
import {typesOf} from './expectation.js';
import {type Builtins, type Definitions, loadDefinition, type ModuleTable} from './load-module.js';
import {storageKeys} from './nested-storages.js';

/** Components by the text of `use`. */
export interface NamedComponents {
  readonly plugins: Readonly<Record<string, PluginDefinition>>;
  readonly adapters: Readonly<Record<string, AdapterDefinition>>;
}

/** The built-in components, and those that a configuration names. Rejects when one of those cannot be loaded. */
export async function namedComponents(value: unknown, builtins: Builtins, folder: string): Promise<NamedComponents> {
  const {storage, plugins} = (value ?? {}) as {readonly storage?: unknown; readonly plugins?: unknown};
  const problems = new Problems();
  const definitions = async <Kind extends keyof Definitions>(
    kind: Kind,
    table: ModuleTable,
    entries: readonly (readonly [path: string, entry: unknown])[],
  ): Promise<Record<string, Definitions[Kind]>> => {
    const uses = new Map([...Object.keys(table).map(name => [name, ''] as const), ...entries.flatMap(useOf)]);
    const loaded: Record<string, Definitions[Kind]> = {};
    for (const [use, path] of uses) {
      try {
        loaded[use] = await loadDefinition(kind, use, table, folder);
      } catch (error) {
        problems.add(path, (error as Error).message);
      }
    }
    return loaded;
  };
  const entries = Array.isArray(plugins) ? plugins.map((entry, index) => [`plugins[${index}]`, entry] as const) : [];
  const named = {
    plugins: await definitions('plugin', builtins.plugins, entries),
    adapters: await definitions('storage-adapter', builtins.adapters, storageEntries(storage)),
  };
  problems.throwIfAny();
  return named;
}

/** An entry of a storage, and those within its `config`, under whatever key they are: what names no adapter is none. */
function storageEntries(entry: unknown, path = 'storage'): readonly (readonly [path: string, entry: unknown])[] {
  const config = (entry as {readonly config?: unknown} | undefined)?.config ?? {};
  const nested = Object.entries(config).filter(
    ([, value]) => typeof (value as {use?: unknown} | null)?.use === 'string',
  );
  return [[path, entry], ...nested.flatMap(([key, value]) => storageEntries(value, `${path}.config.${key}`))];
}

function useOf([path, entry]: readonly [path: string, entry: unknown]): readonly (readonly [
  use: string,
  path: string,
])[] {
  const use = (entry as {readonly use?: unknown} | undefined)?.use;
  return typeof use === 'string' && !use.includes('${') ? [[use, `${path}.use`]] : [];
}

/** The schema of a configuration file as editors need it: placeholders are allowed wherever a value is. */
export function configSchema({plugins, adapters}: NamedComponents): JsonSchema {
  const properties = ENVELOPE.properties as Readonly<Record<string, JsonSchema>>;
  const list = properties.plugins as JsonSchema;
  const simple = withoutNesting(adapters);
  return forEditors({
    ...ENVELOPE,
    properties: {
      ...properties,
      storage: withComponents(properties.storage as JsonSchema, adapters),
      plugins: {...list, items: withComponents(list.items as JsonSchema, plugins)},
    },
    definitions: {nestedStorage: forEditors(withComponents(properties.storage as JsonSchema, simple))},
  });
}

/** Those within which there are no others. */
function withoutNesting(adapters: NamedComponents['adapters']): NamedComponents['adapters'] {
  const entries = Object.entries(adapters);
  return Object.fromEntries(entries.filter(([, {configSchema}]) => storageKeys(configSchema).length === 0));
}

interface Configurable {
  readonly configSchema: JsonSchema;
}

/** An entry whose `config` has the schema of the component that `use` names. */
function withComponents(entry: JsonSchema, components: Readonly<Record<string, Configurable>>): JsonSchema {
  const properties = entry.properties as Readonly<Record<string, JsonSchema>>;
  const configOf = ({configSchema: {$schema: _, ...schema}}: Configurable) => forEditors(schema);
  return {
    ...entry,
    properties: {...properties, use: {...properties.use, examples: Object.keys(components)}},
    allOf: Object.entries(components).map(([use, component]) => ({
      if: {properties: {use: {const: use}}, required: ['use']},
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {properties: {config: configOf(component)}},
    })),
  };
}

const NESTED_STORAGE: JsonSchema = {$ref: '#/definitions/nestedStorage'};
const PLACEHOLDER: JsonSchema = {type: 'string', pattern: '\\$\\{[A-Za-z_]'};
/** What is said about a value, not of its form. */
const ANNOTATIONS = new Set([
  'description',
  'default',
  'title',
  'examples',
  'x-cache',
  'x-env',
  'x-pattern',
  'x-secret',
  'x-at-most',
]);

function isObject(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && (schema.properties !== undefined || typesOf(schema).includes('object'));
}

function forEditors(schema: JsonSchema): JsonSchema {
  if (schema['x-storage'] === true) return {description: schema.description, allOf: [NESTED_STORAGE]};
  if (isObject(schema)) {
    const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>);
    const others = schema.additionalProperties ?? schema.patternProperties !== undefined;
    return {
      ...schema,
      ...(properties.length > 0 && {
        properties: Object.fromEntries(properties.map(([key, item]) => [key, forEditors(item)])),
      }),
      additionalProperties: typeof others === 'object' && others !== null ? forEditors(others as JsonSchema) : others,
    };
  }
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'items' ? forEditors(value as JsonSchema) : value,
  ]);
  const types = typesOf(schema);
  // A list of objects has no form as text; one of texts may be written with commas.
  if (types.includes('array') && isObject(schema.items as JsonSchema)) return Object.fromEntries(entries);
  const isListOfTexts = types.includes('array') && typesOf((schema.items ?? {}) as JsonSchema).includes('string');
  const isFreeText = types.includes('string') && schema.enum === undefined && schema.pattern === undefined;
  if (isFreeText || (types.length === 0 && schema.enum === undefined)) return Object.fromEntries(entries);
  return {
    ...Object.fromEntries(entries.filter(([key]) => ANNOTATIONS.has(key as string))),
    anyOf: [
      Object.fromEntries(entries.filter(([key]) => !ANNOTATIONS.has(key as string))),
      isListOfTexts ? {type: 'string'} : PLACEHOLDER,
    ],
  };
}
