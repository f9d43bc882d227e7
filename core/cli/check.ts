import {type AdapterDefinition, CAPABILITY_NAMES, type Health} from '../api/adapter.js';
import type {Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {GatewayConfig, PluginConfig} from '../config/gateway-config.js';
import {loadConfig} from '../config/load.js';
import {redactText} from '../config/redact.js';
import {exposureOf, placeOf, socketsOf} from '../config/sockets.js';
import {Instruments} from '../host/meter.js';
import {negotiate} from '../host/negotiate.js';
import {PluginHost} from '../host/plugin-host.js';
import {missingMessage, requiredMessage} from '../host/status.js';
import {VERSION} from '../version.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {createLog} from './log.js';
import {withStorage} from './with-storage.js';

export interface CheckOptions {
  readonly config: string;
  readonly connect?: boolean;
}

/** Loads and validates everything; with `connect`, asks the storage too. Opens no listener. */
export async function check({config: file, connect}: CheckOptions): Promise<number> {
  const config = await loadConfig({file}, builtins);
  const {rows, failures} = connect === true ? await connected(config) : {rows: [], failures: []};
  for (const [subject, state] of rows) process.stdout.write(`${subject.padEnd(32)} ${redactText(state)}\n`);
  for (const failure of failures) process.stderr.write(`${file}: the start would fail: ${redactText(failure)}\n`);
  if (failures.length > 0) return EXIT.failed;
  process.stdout.write(`${file}: the configuration is valid\n`);
  for (const socket of socketsOf(config)) {
    const lack = exposureOf(socket);
    if (lack === undefined) continue;
    process.stdout.write(`warning: ${socket.owner} is open to other machines at ${placeOf(socket)}, ${lack}\n`);
  }
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

interface Connected {
  readonly rows: readonly Row[];
  /** What would end the start: what required plugins lack. */
  readonly failures: readonly string[];
}

async function connected(config: GatewayConfig): Promise<Connected> {
  return withStorage(config, async (readers, _signal, health) => {
    const failures: string[] = [];
    const plugins = config.plugins.map((plugin): Row => {
      const {id, enabled, required} = plugin;
      if (!enabled) return [id, 'disabled: "enabled" is false'];
      const {missing, readers: granted} = negotiate(plugin.definition, readers);
      if (missing.length === 0) {
        const failure = constructionFailure(plugin, config, granted);
        if (failure === undefined) return [id, 'enabled'];
        failures.push(failure);
        return [id, 'failed'];
      }
      if (required) failures.push(requiredMessage(id, missing, config.storage?.definition.name));
      return [id, missingMessage(missing)];
    });
    const capabilities = CAPABILITY_NAMES.map((name): Row => [name, readers[name] === undefined ? 'no' : 'yes']);
    return {
      rows: [...plugins, ...capabilities, ...adapterRows(config.storage?.definition), ...healthRows(health)],
      failures,
    };
  });
}

/** Only what is unusual. */
function healthRows({status, message}: Health): readonly Row[] {
  return status === 'ok' ? [] : [['health', [status, message].filter(part => part !== undefined).join(': ')]];
}

/** Why a plugin cannot be made of what it is granted. Making one opens nothing: that is what its start is for. */
function constructionFailure(plugin: PluginConfig, {limits, logLevel}: GatewayConfig, readers: Readers) {
  const status = async () => ({
    gateway: {version: VERSION, state: 'starting' as const},
    storage: null,
    plugins: [],
    reload: null,
  });
  const access = {check: () => undefined, onChange: () => () => undefined};
  const log = createLog(logLevel)(plugin.id);
  const services = {log, meter: new Instruments().meter(plugin.id), limits, access, readers, status};
  try {
    new PluginHost().construct(plugin, services);
    return undefined;
  } catch (error) {
    return `the plugin ${plugin.id} did not start: ${GatewayError.from(error).message}`;
  }
}

function adapterRows(definition: AdapterDefinition | undefined): readonly Row[] {
  if (definition === undefined) return [['storage', 'none']];
  return [['storage', [definition.name, definition.version].filter(part => part !== undefined).join(' ')]];
}
