import {availableParallelism} from 'node:os';
import type {AdapterDefinition} from '../api/adapter.js';
import type {JsonSchema} from '../api/json-schema.js';
import type {Problems} from './config-error.js';
import type {StorageConfig} from './gateway-config.js';

const MOST = 256;
const CORES = 'cores';

export const WORKERS_SCHEMA: JsonSchema = {
  type: ['integer', 'string'],
  minimum: 1,
  maximum: MOST,
  pattern: `^${CORES}$`,
  'x-expected': `a whole number from 1 to ${MOST}, or "${CORES}"`,
  default: 1,
  description:
    'How many processes serve; "cores" is one for each core of the machine. More than one needs a storage that several processes can have open.',
};

/** How many processes that is. */
export function countOf(workers: number | typeof CORES): number {
  return workers === CORES ? Math.min(availableParallelism(), MOST) : workers;
}

/** A storage that only one process can have open: refused for `cores` too, whatever machine this is. */
export function checkWorkers(workers: unknown, storage: StorageConfig | undefined, problems: Problems): void {
  if (workers === 1 || storage === undefined || problems.has('workers')) return;
  const why = reasonForOne(storage);
  if (why !== undefined) problems.add('workers', `found ${JSON.stringify(workers)}, expected 1: ${why}`);
}

function reasonForOne({definition, config}: StorageConfig): string | undefined {
  const {name, severalProcesses, exclusive}: AdapterDefinition = definition;
  if (severalProcesses === true) return undefined;
  const held = (exclusive?.(config as never) ?? []).map(({what}) => what);
  const what = held.length === 0 ? 'it' : held.join(' and ');
  return `of the storage adapter ${name} only one process can have ${what} open`;
}
