import {type AdapterDefinition, CAPABILITY_NAMES} from '../api/adapter.js';
import type {GatewayConfig} from '../config/gateway-config.js';
import {loadConfig} from '../gateway.js';
import {negotiate} from '../host/negotiate.js';
import {missingMessage} from '../host/status.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {withStorage} from './with-storage.js';

export interface CheckOptions {
  readonly config: string;
  readonly connect?: boolean;
}

/** Loads and validates everything; with `connect`, asks the storage too. Opens no listener. */
export async function check({config: file, connect}: CheckOptions): Promise<number> {
  const config = await loadConfig({file}, builtins);
  const rows = connect === true ? await connectedRows(config) : [];
  for (const [subject, state] of rows) process.stdout.write(`${subject.padEnd(32)} ${state}\n`);
  process.stdout.write(`${file}: the configuration is valid\n`);
  const hint = hintOf(config);
  if (hint !== undefined) process.stdout.write(`hint: ${hint}\n`);
  return EXIT.ok;
}

/** What is valid and yet hardly meant. */
function hintOf({storage, plugins}: GatewayConfig): string | undefined {
  const enabled = plugins.filter(plugin => plugin.enabled);
  if (enabled.length === 0) return 'no plugin is listed and enabled under "plugins", so nothing would be served';
  const idle = enabled.every(({definition}) => definition.requires.length > 0);
  return storage === undefined && idle
    ? 'every plugin needs a "storage", and there is none, so nothing would be served'
    : undefined;
}

type Row = readonly [subject: string, state: string];

async function connectedRows(config: GatewayConfig): Promise<readonly Row[]> {
  return withStorage(config, async readers => {
    const plugins = config.plugins.map(({id, definition, enabled}): Row => {
      const {missing} = negotiate(definition, readers);
      if (!enabled) return [id, 'disabled: "enabled" is false'];
      return [id, missing.length === 0 ? 'enabled' : missingMessage(missing)];
    });
    const capabilities = CAPABILITY_NAMES.map((name): Row => [name, readers[name] === undefined ? 'no' : 'yes']);
    return [...plugins, ...capabilities, ...adapterRows(config.storage?.definition)];
  });
}

function adapterRows(definition: AdapterDefinition | undefined): readonly Row[] {
  if (definition === undefined) return [['storage', 'none']];
  return [['storage', [definition.name, definition.version].filter(part => part !== undefined).join(' ')]];
}
