import {rmSync} from 'node:fs';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {forCommands} from '../../plugins/builtins.js';
import {ConfigError} from '../config/config-error.js';
import {loadConfig} from '../gateway.js';
import {builtins} from './builtins.js';
import {runGateway} from './run-gateway.js';

/** Runs the gateway over a generated scene until SIGTERM or SIGINT. `portBase` is the text of the option. */
export async function demo({portBase}: {readonly portBase?: string}): Promise<number> {
  const {demoConfig, HIGHEST_PORT_BASE, showDemo} = await forCommands.demo();
  const base = portBase === undefined ? undefined : parsePortBase(portBase, HIGHEST_PORT_BASE);
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-demo-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  const value = demoConfig(folder, base);
  const source = {value, folder};
  const read = async () => ({source, config: await loadConfig(source, builtins)});
  const print = (text: string): void => void process.stderr.write(text);
  return runGateway(read, (addresses, call) => showDemo({addresses, folder, print}, call)).catch((error: Error) => {
    const taken = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    throw taken ? new Error(`${error.message}; --port-base N moves all ports of the demo`, {cause: error}) : error;
  });
}

function parsePortBase(text: string, highest: number): number {
  const base = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (base >= 0 && base <= highest) return base;
  const expected = `a whole number from 0 to ${highest}; 0 takes any free ports`;
  throw new ConfigError([{path: '--port-base', message: `found ${JSON.stringify(text)}, expected ${expected}`}]);
}
