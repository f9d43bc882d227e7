import {loadConfig} from '../gateway.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {createLog} from './log.js';
import {runGateway} from './run-gateway.js';

/** Runs the gateway that the file describes. Gives the exit code. */
export async function serve({config: file}: {readonly config: string}): Promise<number> {
  const config = await loadConfig({file}, builtins);
  return runGateway(config).catch((error: unknown) => {
    createLog(config.logLevel)('gateway').error('the gateway did not start', {err: error});
    return EXIT.failed;
  });
}
