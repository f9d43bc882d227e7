import {isDeepStrictEqual} from 'node:util';
import type {ConfigMistake, JsonSchema, NestedStorage} from '../../core/api/adapter.js';

export const NAME = 'tee';

export interface TeeConfig {
  readonly primary: NestedStorage;
  readonly secondary: NestedStorage;
  readonly secondaryWrites: 'required' | 'best-effort';
  readonly compare: {
    /** From 0 to 1. */
    readonly share: number;
  };
}

const storage = (description: string): JsonSchema => ({
  'x-storage': true,
  type: 'object',
  required: ['use'],
  description,
  properties: {
    use: {
      type: 'string',
      minLength: 1,
      description: 'A built-in name, a path relative to this file, or the name of an installed npm package.',
    },
    config: {type: 'object', additionalProperties: true, description: 'Settings of its own.'},
  },
});

export const configSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  required: ['primary', 'secondary'],
  properties: {
    primary: storage('The storage whose answers clients get.'),
    secondary: storage('The storage that is written too, asked the same in the background, and compared.'),
    secondaryWrites: {
      enum: ['required', 'best-effort'],
      default: 'required',
      description:
        'Whether a write, and the start, need the secondary too. With best-effort what it does not take is lost to it and counted.',
    },
    compare: {
      type: 'object',
      default: {},
      description: 'Which questions the secondary is asked too.',
      properties: {
        share: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          default: 1,
          description: 'The share of the questions: 1 is all of them, 0 none.',
        },
      },
    },
  },
};

/** What the schemas of the two storages cannot say. */
export function checkConfig({primary, secondary}: TeeConfig): readonly ConfigMistake[] {
  const nested = Object.entries({primary, secondary}).filter(([, {definition}]) => definition.name === NAME);
  if (nested.length > 0) {
    return nested.map(([key]) => ({key: `${key}.use`, message: `found "${NAME}" within another, expected a storage`}));
  }
  const taken = placesOf(primary).map(({what}) => what);
  const same = placesOf(secondary).find(({what}) => taken.includes(what));
  if (same !== undefined) {
    const message = `found ${same.what}, which is the primary's too; expected another one`;
    return [{key: `secondary.config.${same.key}`, message}];
  }
  const isSame = primary.definition === secondary.definition && isDeepStrictEqual(primary.config, secondary.config);
  return isSame ? [{key: 'secondary.config', message: "found the primary's, expected that of another storage"}] : [];
}

function placesOf({definition: {exclusive, places}, config}: NestedStorage) {
  return [...(exclusive?.(config as never) ?? []), ...(places?.(config as never) ?? [])];
}
