import {loadConfig} from '../gateway.js';
import {builtins} from './builtins.js';
import {runGateway} from './run-gateway.js';

/** Runs the gateway that the file describes. Gives the exit code. */
export async function serve({config: file}: {readonly config: string}): Promise<number> {
  return runGateway(await loadConfig({file}, builtins));
}
