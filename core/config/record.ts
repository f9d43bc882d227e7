import type {JsonSchema} from '../api/json-schema.js';

/** Where queries are recorded, to be asked again of another storage. */
export interface RecordConfig {
  /** An absolute path. */
  readonly file: string;
  /** From 0 to 1: which part of the queries. */
  readonly share: number;
  /** Bytes. */
  readonly maxSize: number;
}

export const RECORD_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Writes a line for each query that a plugin answers. Left out, nothing is recorded.',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'path',
      description: 'The file, which grows at its end: JSON, a line for each query.',
    },
    share: {type: 'number', minimum: 0, maximum: 1, default: 1, description: 'Which part of the queries is recorded.'},
    maxSize: {
      type: ['integer', 'string'],
      format: 'byte-size',
      minimum: 1,
      default: 2 ** 30,
      description: 'At this size of the file recording stops, with a warning.',
    },
  },
};
