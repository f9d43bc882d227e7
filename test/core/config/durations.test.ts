import test from 'ava';
import {type JsonSchema, LONGEST_WAIT} from '../../../core/api/json-schema.js';
import {builtins} from '../../../core/cli/builtins.js';
import {ConfigError} from '../../../core/config/config-error.js';
import {ENVELOPE} from '../../../core/config/envelope.js';
import {loadConfig} from '../../../core/config/load.js';
import {LONGEST_RETENTION} from '../../../core/toolkit/retention.js';

interface Named {
  readonly path: string;
  readonly schema: JsonSchema;
}

/** Every duration below a schema, by the path of its key. */
function durationsIn(schema: JsonSchema, path: string): readonly Named[] {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const items = [schema.items, schema.additionalProperties].filter(each => typeof each === 'object' && each !== null);
  return [
    ...(schema.format === 'duration' ? [{path, schema}] : []),
    ...properties.flatMap(([key, each]) => durationsIn(each, `${path}.${key}`)),
    ...items.flatMap(each => durationsIn(each as JsonSchema, `${path}[]`)),
  ];
}

const components = [...Object.entries(builtins.plugins), ...Object.entries(builtins.adapters)];

test('every duration that may become a timer ends where timers do, and every retention at a hundred years', async t => {
  const schemas = await Promise.all(
    components.map(async ([name, load]) => {
      const {configSchema} = (await load()).default as {readonly configSchema: JsonSchema};
      return durationsIn(configSchema, name);
    }),
  );
  const durations = [...durationsIn(ENVELOPE, ''), ...schemas.flat()];
  t.true(durations.length > 25);
  for (const {path, schema} of durations) {
    const {maximum} = schema as {readonly maximum?: number};
    if (path.includes('.retention.')) t.is(maximum, LONGEST_RETENTION, path);
    // 2 ** 31 - 1 is what a timer holds.
    else t.true(maximum !== undefined && maximum <= 2 ** 31 - 1, path);
  }
});

const WAITS = `expected a duration from 1 to ${LONGEST_WAIT} (milliseconds, or text such as "30s" or "1h30m")`;

const TIMEOUTS: readonly (readonly [value: unknown, found: string | undefined])[] = [
  ['30d', `found "30d", ${WAITS}`],
  ['24d', undefined],
  [1e300, `found 1e+300, ${WAITS}`],
  // What a file with 1e400 holds.
  [Number.POSITIVE_INFINITY, `found Infinity, ${WAITS}`],
  ['${TIMEOUT}', `found 1e+300, ${WAITS} (from TIMEOUT)`],
  ['1e300', `found "1e300", ${WAITS}`],
  [-1, `found -1, ${WAITS}`],
  [0, `found 0, ${WAITS}`],
  ['0s', `found "0s", ${WAITS}`],
];

async function problems(value: object): Promise<string> {
  const source = {value, folder: '/etc/gateway'};
  const environment = {TIMEOUT: '1e300'};
  return loadConfig(source, builtins, environment).then(
    () => '',
    (error: Error) => (error instanceof ConfigError ? error.message : Promise.reject(error)),
  );
}

for (const [value, found] of TIMEOUTS) {
  for (const key of ['startTimeout', 'shutdownTimeout']) {
    test(`the ${key} ${value} is ${found === undefined ? 'taken' : 'refused'}`, async t => {
      t.is(await problems({[key]: value}), found === undefined ? '' : `${key}: ${found}`);
    });
  }
}

test('a duration with a fraction of a millisecond is rounded, as text with a unit is', async t => {
  const value = {listeners: {admin: {port: 0, idleTimeout: 1500.4, writeTimeout: '1.5006s'}}};
  const config = await loadConfig({value, folder: '/etc/gateway'}, builtins, {});
  t.like(config.listeners[0], {idleTimeout: 1500, writeTimeout: 1501});
});

const RETENTIONS: readonly (readonly [retention: object, line: string])[] = [
  [{minute: '30d', hour: '1d'}, 'hour: found 1 day, expected at least retention.minute, 30 days'],
  [{minute: '30d', hour: '60d', day: '31d'}, 'day: found 31 days, expected at least retention.hour, 60 days'],
  [{minute: '30d', day: '36h'}, 'day: found 1.5 days, expected at least retention.minute, 30 days'],
  [{minute: '30d', hour: '30d', day: '400d', records: '1d', traces: '1d'}, ''],
  [{hour: '1d'}, ''],
];

const STORAGES: readonly (readonly [use: string, config: object])[] = [
  ['embedded', {path: './data'}],
  ['clickhouse', {urls: ['http://ch:8123'], database: 'gateway'}],
  ['postgres', {url: 'postgres://db/x'}],
];

for (const [use, config] of STORAGES) {
  for (const [retention, line] of RETENTIONS) {
    test(`${use} ${line === '' ? 'takes' : 'refuses'} the retention ${JSON.stringify(retention)}`, async t => {
      const found = await problems({storage: {use, config: {...config, retention}}});
      const expected =
        line === ''
          ? ''
          : `storage.config.retention.${line}: ${line.slice(0, line.indexOf(':'))} values are made of finer ones`;
      t.is(found, expected);
    });
  }
  test(`${use} refuses a retention of more than a hundred years`, async t => {
    const found = await problems({storage: {use, config: {...config, retention: {minute: 1e300}}}});
    t.regex(
      found,
      /^storage\.config\.retention\.minute: found 1e\+300, expected a duration from \d+ to 3155760000000 /,
    );
  });
}
