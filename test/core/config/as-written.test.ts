import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {ConfigError} from '../../../core/config/config-error.js';
import {loadConfig} from '../../../core/config/load.js';
import {FIXTURE_ADAPTER} from '../../support/gateway.js';

type Environment = Readonly<Record<string, string>>;

async function problem(value: unknown, environment: Environment): Promise<string> {
  return loadConfig({value, folder: '/etc/gateway'}, builtins, environment).then(
    () => '',
    (error: Error) => (error instanceof ConfigError ? error.message : Promise.reject(error)),
  );
}

/** A configuration with one mistake, and what is said of it. */
const WRONG: readonly (readonly [title: string, config: object, line: string | RegExp, environment?: Environment])[] = [
  [
    'a duration of a variable above its maximum',
    {storage: {use: FIXTURE_ADAPTER, config: {startDelay: '${DELAY}'}}},
    'storage.config.startDelay: found "2h", expected a duration of at most 3600000 (milliseconds, or text such as "30s" or "1h30m") (from DELAY)',
    {DELAY: '2h'},
  ],
  [
    'a retention below its minimum',
    {storage: {use: 'postgres', config: {url: 'postgres://u@db/x', retention: {minute: '1h'}}}},
    /^storage\.config\.retention\.minute: found "1h", expected a duration from 86400000 to /,
  ],
  [
    'a size above its maximum',
    {limits: {headerBytes: '2MiB'}},
    'limits.headerBytes: found "2MiB", expected a size from 1024 to 1048576 (bytes, or text such as "64MiB")',
  ],
  [
    'headers in which no request has room',
    {limits: {headerBytes: 1}},
    'limits.headerBytes: found 1, expected a size from 1024 to 1048576 (bytes, or text such as "64MiB")',
  ],
  [
    'a placeholder without its closing brace',
    {logLevel: '${LEVEL'},
    'logLevel: the closing brace of the placeholder ${LEVEL is missing; write $${ for a literal ${',
  ],
  [
    'a placeholder whose default is left open',
    {logLevel: 'x${LEVEL:hunter2'},
    'logLevel: the closing brace of the placeholder ${LEVEL is missing; write $${ for a literal ${',
  ],
  [
    'a placeholder in a placeholder',
    {logLevel: '${A:${B}}'},
    'logLevel: a placeholder is ${NAME} or ${NAME:default}; they do not nest; write $${ for a literal ${',
  ],
];

for (const [title, config, line, environment = {}] of WRONG) {
  test(`${title} is told as it is written`, async t => {
    const found = await problem(config, environment);
    if (typeof line === 'string') t.is(found, line);
    else t.regex(found, line);
  });
}
