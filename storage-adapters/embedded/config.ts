import {existsSync} from 'node:fs';
import {sep} from 'node:path';
import type {ConfigMistake, JsonSchema} from '../../core/api/adapter.js';
import {type Retention, retentionMistakes, retentionSchema} from '../../core/toolkit/retention.js';
import {MS_PER_MINUTE} from '../../core/toolkit/time.js';

import {databaseFile} from './disk/folder.js';

export type {Retention} from '../../core/toolkit/retention.js';

export interface EmbeddedConfig {
  readonly path: string;
  readonly retention?: Retention;
  readonly durability: 'process' | 'power';
  readonly memory: number;
}

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
    retention: retentionSchema(MS_PER_MINUTE, {
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
      'x-cache': true,
      minimum: 0,
      default: 134_217_728,
      description: 'How much of the latest data is kept in memory, so that recent queries need no disk.',
    },
  },
};

/** Bytes: what file systems take as the name of a folder, and SQLite as that of a file, less those in the folder. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 489;

/** What the schema accepts and the storage cannot do. */
export function checkConfig({path, retention}: EmbeddedConfig): readonly ConfigMistake[] {
  return [...pathMistakes(path), ...retentionMistakes(retention)];
}

/** Whether there is anything to read. */
export function checkStored({path}: EmbeddedConfig): readonly ConfigMistake[] {
  if (existsSync(databaseFile(path))) return [];
  return [{key: 'path', message: `there is no database ${databaseFile(path)}, so there is nothing to read`}];
}

/** Names that no file system takes; what stands at the path is looked at when the storage starts. */
function pathMistakes(path: string): readonly ConfigMistake[] {
  if (path.includes('\0')) return [{key: 'path', message: 'found a character U+0000, which no path can have'}];
  const lengths = path.split(sep).map(name => Buffer.byteLength(name));
  const longest = Math.max(...lengths);
  if (longest > LONGEST_NAME) {
    const message = `found a name of ${longest} bytes in it, expected at most ${LONGEST_NAME} between two "${sep}"`;
    return [{key: 'path', message}];
  }
  const length = Buffer.byteLength(path);
  if (length <= LONGEST_PATH) return [];
  return [{key: 'path', message: `found ${length} bytes, from "${sep}" on, expected at most ${LONGEST_PATH}`}];
}
