import {type AdapterDefinition, CAPABILITY_METHODS, CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import type {Group} from '../group.js';

interface PropertySchema {
  readonly description?: unknown;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
}

function undescribed({properties = {}}: PropertySchema, path: string): readonly string[] {
  return Object.entries(properties).flatMap(([key, schema]) => [
    ...(typeof schema.description === 'string' && schema.description !== '' ? [] : [`${path}${key}`]),
    ...undescribed(schema, `${path}${key}.`),
  ]);
}

export const definition: Group = {
  name: 'definition',
  needs: [],
  manual: true,
  tests: {
    'the definition has the form that the gateway loads': async (t, {options}) => {
      const {kind, apiVersion, name, version = '', configSchema, create}: AdapterDefinition = options.adapter;
      t.is(kind, 'storage-adapter', 'kind');
      t.is(apiVersion, 1, 'apiVersion');
      t.true(typeof name === 'string' && name !== '', 'name is a text');
      t.is(typeof version, 'string', 'version');
      t.is(configSchema.type, 'object', 'configSchema.type');
      t.deepEqual(JSON.parse(JSON.stringify(configSchema)), configSchema, 'configSchema is JSON');
      t.is(typeof create, 'function', 'create');
    },
    'every property of the configuration is described': async (t, {options}) => {
      t.deepEqual(undescribed(options.adapter.configSchema, ''), [], 'properties without a description');
    },
    'the configuration is accepted and a key that the schema does not know is not': async (t, subject) => {
      const config = subject.settledConfig();
      t.true(Object.isFrozen(config), 'what create receives is frozen');
      const odd = {...(subject.store.config as object), 'no such key': 1};
      let message = '';
      try {
        subject.settledConfig(odd);
      } catch (error) {
        message = (error as Error).message;
      }
      t.true(message.includes('no such key'), `the schema accepts unknown keys: ${message}`);
    },
    'start supplies exactly the capabilities that are expected': async (t, subject) => {
      await subject.start();
      const supplied = CAPABILITY_NAMES.filter(name => subject.readers[name] !== undefined);
      t.deepEqual(
        supplied,
        CAPABILITY_NAMES.filter(name => subject.options.expects.includes(name)),
        'capabilities',
      );
      const known: readonly string[] = CAPABILITY_NAMES;
      const unknown = Object.keys(subject.readers).filter(name => !known.includes(name));
      t.deepEqual(unknown, [], 'capabilities that the gateway does not know');
    },
    'each reader and writer has all methods of its capability': async (t, subject) => {
      await subject.start();
      const missing = subject.options.expects.flatMap(name => {
        const reader = (subject.readers[name] ?? {}) as Readonly<Record<string, unknown>>;
        const methods = Object.keys(CAPABILITY_METHODS[name]);
        return methods.filter(method => typeof reader[method] !== 'function').map(method => `${name}: ${method}`);
      });
      t.deepEqual(missing, [], 'methods that are missing');
    },
  },
};
