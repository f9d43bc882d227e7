import {type JsonSchema, LONGEST_WAIT} from '../api/json-schema.js';
import type {ListenerDefaults, PluginDefinition} from '../api/plugin.js';
import {ACCESS} from './access.js';
import {LISTENER_ACCESS_KEYS} from './listener-access.js';
import {RECORD_SCHEMA} from './record.js';
import {WORKERS_SCHEMA} from './workers.js';

/** The part of the configuration that belongs to the gateway itself, as schemas. Defaults stand here and nowhere else. */

const duration = (description: string, value: number, minimum = 1): JsonSchema => ({
  type: ['number', 'string'],
  format: 'duration',
  description,
  default: value,
  minimum,
  maximum: LONGEST_WAIT,
});

const size = (description: string, value: number): JsonSchema => ({
  type: ['integer', 'string'],
  format: 'byte-size',
  description,
  default: value,
  minimum: 1,
});

const count = (description: string, value: number): JsonSchema => ({
  type: 'integer',
  description,
  default: value,
  minimum: 1,
});

const LIMITS: JsonSchema = {
  type: 'object',
  description: 'What a request may cost. Whoever exceeds a limit gets a clear error in the form of the path.',
  default: {},
  properties: {
    queryLength: size('The longest query text, in bytes.', 16 * 1024),
    nesting: {
      ...count('How deep parentheses and calls may nest in a query text.', 200),
      // Evaluation recurses: what is allowed here must fit on the stack.
      maximum: 1000,
    },
    formBody: size('The largest form body, in bytes (413).', 1024 * 1024),
    ingestBody: size(
      'The largest ingest body, in bytes, counted before and after decompression (413).',
      64 * 1024 * 1024,
    ),
    queryTimeout: duration('How long a query may take.', 30_000),
    ingestTimeout: duration('How long the storage may take to store an ingest body.', 60_000),
    concurrentQueries: count('How many queries run at once. Four times as many wait; more are refused (503).', 64),
    listNames: count('How many names or series one list answers; more are left out, with a warning.', 100_000),
    spanTags: count(
      'How many tags, annotations or log entries of a span are stored; one that has more is cut, marked and counted.',
      1000,
    ),
    headerBytes: {
      ...size('The largest request line and headers together, in bytes (431).', 64 * 1024),
      // Below this hardly a request of a browser comes through.
      minimum: 1024,
      maximum: 1024 * 1024,
    },
  },
};

const COMPONENT = {
  use: {
    type: 'string',
    minLength: 1,
    description: 'A built-in name, a path relative to this file, or the name of an installed npm package.',
  },
  config: {type: 'object', description: 'Settings of its own.', additionalProperties: true},
} satisfies Record<string, JsonSchema>;

const LISTENER_KEYS: Readonly<Record<string, JsonSchema>> = {
  host: {
    type: 'string',
    // A name or IPv4 address has no colon, an IPv6 address has two or more.
    pattern: '^(?:[^\\s/:\\[\\]@]+|[\\dA-Fa-f.]*:[\\dA-Fa-f.]*:[\\dA-Fa-f:.]*(?:%\\w+)?)$',
    'x-pattern': 'is an address or a host name, without brackets or a port',
    description: 'The address to listen on.',
  },
  port: {type: 'integer', minimum: 0, maximum: 65535, description: 'The port to listen on; 0 takes any free one.'},
  idleTimeout: duration('How long a connection may be idle before it is closed.', 30_000),
  readTimeout: duration('How long a request may take to arrive whole; 0 for no bound.', 60_000, 0),
  writeTimeout: duration('How long an answer may take to leave whole; 0 for no bound.', 0, 0),
  acceptQueueSize: {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 31 - 1,
    default: 0,
    description: 'How many connections may wait to be accepted; 0 asks for the maximum of the system.',
  },
  compression: {
    type: ['boolean', 'integer', 'string'],
    format: 'byte-size',
    description:
      'Whether large answers are compressed for clients that accept gzip: from 16 KiB on, or from the size given here.',
    default: true,
    minimum: 1,
  },
  accessLog: {
    type: 'boolean',
    default: false,
    description: 'Whether each request is a line of the log, with its parameters, its status, its size and its time.',
  },
  ...LISTENER_ACCESS_KEYS,
};

const PLUGIN_KEYS: Readonly<Record<string, JsonSchema>> = {
  ...COMPONENT,
  listener: {type: 'string', minLength: 1, description: 'The name of the listener; the plugin has a default.'},
  prefix: {
    type: 'string',
    pattern: '^/(?!.*[^/]//+[^/])(?!(?:.*/)?\\.\\.?(?:/|$))[^?#*:\\s]*$',
    'x-pattern': 'begins with a slash and holds no blank and none of ? # * : and no segment that is empty, . or ..',
    description: 'Where the plugin is mounted on its listener. Begins with a slash.',
  },
  enabled: {type: 'boolean', description: 'Whether the plugin is mounted; when it is not, its paths answer 404.'},
  required: {
    type: 'boolean',
    default: false,
    description: 'Whether a storage that lacks what the plugin needs fails the start, instead of switching it off.',
  },
};

export const ENVELOPE: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Configuration of query-gateway',
  description:
    'Any text may hold ${NAME} or ${NAME:default}, which takes an environment variable; $${ is a literal ${.',
  type: 'object',
  properties: {
    $schema: {type: 'string', description: 'The schema of this file, for editors.'},
    listeners: {
      type: 'object',
      description:
        'The addresses that the gateway listens on, by name. The listener "admin" serves health and metrics.',
      default: {},
      additionalProperties: {type: 'object', properties: LISTENER_KEYS},
    },
    access: ACCESS,
    storage: {
      type: 'object',
      description: 'The storage adapter. Without one, plugins that need a capability are disabled.',
      required: ['use'],
      properties: COMPONENT,
    },
    plugins: {
      type: 'array',
      description: 'The plugins, in the order in which they start.',
      default: [],
      items: {type: 'object', required: ['use'], properties: PLUGIN_KEYS},
    },
    limits: LIMITS,
    record: RECORD_SCHEMA,
    workers: WORKERS_SCHEMA,
    startTimeout: duration('How long the storage, and each plugin, may take to start.', 60_000),
    shutdownTimeout: duration('How long requests in progress may take to end when the gateway stops.', 10_000),
    logLevel: {
      enum: ['debug', 'info', 'warn', 'error'],
      default: 'info',
      description: 'The least severe log lines that are written.',
    },
  },
};

/** The name of the gateway's own listener. */
export const ADMIN = 'admin';

const ADMIN_DEFAULTS: ListenerDefaults = {name: ADMIN, host: '127.0.0.1', port: 9464, prefix: '/'};

/** The schema of one listener, with the defaults and variables of the plugin that it belongs to. */
export function listenerSchema(name: string, defaults: ListenerDefaults | undefined): JsonSchema {
  const known = name === ADMIN ? ADMIN_DEFAULTS : defaults;
  return {
    type: 'object',
    required: ['host', 'port'],
    properties: withDefaults(LISTENER_KEYS, known ?? {host: '127.0.0.1'}, known?.env ?? {}),
  };
}

/** The schema of one plugin's entry without its `config`, with the defaults and variables of its definition. */
export function entrySchema({listener, enabled}: PluginDefinition): JsonSchema {
  const {config: _, ...keys} = PLUGIN_KEYS;
  return {
    type: 'object',
    properties: withDefaults(
      keys,
      {listener: listener.name, prefix: listener.prefix, enabled: enabled?.default ?? true},
      {prefix: listener.env?.prefix, enabled: enabled?.env},
    ),
  };
}

function withDefaults(
  keys: Readonly<Record<string, JsonSchema>>,
  defaults: object,
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(keys).map(([key, schema]) => {
      const value: unknown = (defaults as Record<string, unknown>)[key];
      const name = variables[key];
      return [
        key,
        {...schema, ...(value !== undefined && {default: value}), ...(name !== undefined && {'x-env': name})},
      ];
    }),
  );
}
