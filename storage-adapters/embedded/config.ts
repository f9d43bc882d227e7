import type {JsonSchema} from '../../core/api/adapter.js';

/** How long each kind of data is kept, in milliseconds; what is left out is kept for ever. */
export interface Retention {
  readonly minute?: number;
  readonly hour?: number;
  readonly day?: number;
  readonly records?: number;
  readonly traces?: number;
}

export interface EmbeddedConfig {
  readonly path: string;
  readonly retention?: Retention;
  readonly durability: 'process' | 'power';
  readonly memory: number;
}

const MINUTE = 60_000;
const duration = (description: string) => ({
  type: ['number', 'string'],
  format: 'duration',
  minimum: MINUTE,
  description,
});

export const configSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  required: ['path'],
  properties: {
    path: {
      type: 'string',
      minLength: 1,
      format: 'path',
      description:
        'The folder of the database. It is created when it is missing, and one process at a time may hold it.',
    },
    retention: {
      type: 'object',
      additionalProperties: false,
      description: 'How long data is kept. Each kind that is left out is kept for ever.',
      properties: {
        minute: duration('Minute values. Samples that arrive later than this are dropped and counted.'),
        hour: duration('Hour values.'),
        day: duration('Day values.'),
        records: duration('Sampled records.'),
        traces: duration('Traces, from their latest span on. Each goes as a whole.'),
      },
    },
    durability: {
      enum: ['process', 'power'],
      default: 'process',
      description:
        'What an acknowledged write survives: the death of the process, or a power loss too (each commit then waits for the disk).',
    },
    memory: {
      type: ['integer', 'string'],
      format: 'byte-size',
      default: 134_217_728,
      description: 'How much of the latest data is kept in memory, so that recent queries need no disk.',
    },
  },
};
