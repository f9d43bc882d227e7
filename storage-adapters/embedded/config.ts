import {
  type ConfigMistake,
  type JsonSchema,
  type Retention,
  retentionMistakes,
  retentionSchema,
} from '../../core/api/adapter.js';

export type {Retention} from '../../core/api/adapter.js';

export interface EmbeddedConfig {
  readonly path: string;
  readonly retention?: Retention;
  readonly durability: 'process' | 'power';
  readonly memory: number;
}

const MINUTE = 60_000;

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
    retention: retentionSchema(MINUTE, {
      how: '',
      traces: 'Traces, from their latest span on. Each goes as a whole.',
    }),
    durability: {
      enum: ['process', 'power'],
      default: 'process',
      description:
        'What an acknowledged write survives: the death of the process, or a power loss too (each commit then waits for the disk).',
    },
    memory: {
      type: ['integer', 'string'],
      format: 'byte-size',
      minimum: 0,
      default: 134_217_728,
      description: 'How much of the latest data is kept in memory, so that recent queries need no disk.',
    },
  },
};

/** What the schema accepts and the storage cannot do. */
export function checkConfig({retention}: EmbeddedConfig): readonly ConfigMistake[] {
  return retentionMistakes(retention);
}
