import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {LogFields, Logger} from '../../core/api/plugin.js';
import {builtins} from '../../core/cli/builtins.js';
import {createGateway, type Gateway, type GatewayConfig, loadConfig} from '../../core/gateway.js';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, type Owner, type RunOptions, scratchFolder} from './gateway.js';

export interface Line {
  readonly level: string;
  readonly component: string;
  readonly message: string;
  readonly fields: LogFields;
}

export interface OpenGateway {
  readonly gateway: Gateway;
  readonly urls: Readonly<Record<string, string>>;
  readonly lines: readonly Line[];
  /** Waits for a log line with this message. */
  readonly logged: (message: string) => Promise<Line>;
}

/** A gateway over the fixture components; keys of `config` replace those given here. */
export function fixtureConfig(config: object = {}): object {
  return {
    listeners: {admin: {port: 0}},
    storage: {use: FIXTURE_ADAPTER},
    plugins: [{use: FIXTURE_PLUGIN}],
    ...config,
  };
}

/** Makes a gateway in this process, as a program that uses the package does, and stops it at the end of the test. */
export async function makeGateway(
  t: Owner,
  config: object,
  environment: Readonly<Record<string, string>> = {},
): Promise<Omit<OpenGateway, 'urls'>> {
  return makeOver(t, await loadConfig({value: config, folder: process.cwd()}, builtins, environment));
}

/** The same over what has been read, and can be read again at a reload. */
function makeOver(t: Owner, loaded: GatewayConfig, readConfig?: () => Promise<GatewayConfig>) {
  const lines: Line[] = [];
  const loggerOf = (component: string): Logger => {
    const write =
      (level: string) =>
      (message: string, fields: LogFields = {}): void => {
        lines.push({level, component, message, fields});
      };
    return {debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error')};
  };
  const gateway = createGateway(loaded, {loggerOf, ...(readConfig !== undefined && {readConfig})});
  t.teardown(() => gateway.stop().catch(() => undefined));
  const logged = async (message: string): Promise<Line> => {
    for (;;) {
      const line = lines.find(each => each.message === message);
      if (line !== undefined) return line;
      await sleep(5);
    }
  };
  return {gateway, lines, logged};
}

/** Makes and starts a gateway in this process. */
export async function openGateway(
  t: Owner,
  config: object = fixtureConfig(),
  environment: Readonly<Record<string, string>> = {},
): Promise<OpenGateway> {
  const made = await makeGateway(t, config, environment);
  return {...made, urls: await made.gateway.start()};
}

export interface ServedHere extends OpenGateway {
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/**
 * What `startGateway` does, in this process: the configuration is a file that a reload reads again. It takes a third of the
 * time. What is about the process, its signals, its end or its output needs the other.
 */
export async function serveHere(t: Owner, {config, environment = {}, folder}: RunOptions): Promise<ServedHere> {
  const at = folder ?? (await scratchFolder(t));
  const file = join(at, 'gateway.config.json');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2));
  const read = () => loadConfig({file}, builtins, {...process.env, ...environment});
  const made = makeOver(t, await read(), read);
  return {...made, folder: at, urls: await made.gateway.start(), stop: () => made.gateway.stop()};
}
