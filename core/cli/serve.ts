import {dirname, resolve} from 'node:path';
import {GatewayError} from '../api/errors.js';
import type {LogFields} from '../api/telemetry.js';
import {readConfig} from '../config/load.js';
import {ConfigError, loadConfig} from '../gateway.js';
import {ListenError} from '../http/port.js';
import type {Loaded} from '../workers/workers.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {createLog} from './log.js';
import {runGateway} from './run-gateway.js';

/** Runs the gateway that the file describes. Gives the exit code. */
export async function serve({config: file}: {readonly config: string}): Promise<number> {
  const read = async (): Promise<Loaded> => {
    const source = {value: await readConfig(file), folder: dirname(resolve(file))};
    return {source, config: await loadConfig(source, builtins)};
  };
  return runGateway(read).catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    createLog('error')('gateway').error('the gateway did not start', reasonOf(error));
    return EXIT.failed;
  });
}

/** What an operator can mend is one sentence; a defect comes with its stack and its causes. */
function reasonOf(error: unknown): LogFields {
  const known = error instanceof ListenError || (GatewayError.is(error) && error.code !== 'internal');
  return known ? {error: (error as Error).message} : {err: error};
}
