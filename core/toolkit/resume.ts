import {GatewayError} from '../api/errors.js';

/** What a place in an export is made of: texts and whole numbers, in an order that its reader knows. */
export type ExportPlace = readonly (string | number)[];

/** A place as the text that a caller keeps. `kind` tells apart the exports whose places must not be mistaken for each other. */
export function encodeResume(kind: string, place: ExportPlace): string {
  return JSON.stringify([kind, ...place]);
}

/**
 * The place in a text that `encodeResume` has made for the same kind, with as many parts as `types`, each of its type. Throws
 * `bad_request` for any other text.
 */
export function decodeResume(kind: string, text: string, types: readonly ('string' | 'number')[]): ExportPlace {
  const [found, ...place] = parsed(text);
  const isPlace = place.length === types.length && types.every((type, i) => typeof place[i] === type);
  if (found === kind && isPlace) return place as ExportPlace;
  throw new GatewayError(
    'bad_request',
    `after is no place in the export of ${kind}; give the resume of one of its pages`,
  );
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch (cause) {
    if (cause instanceof SyntaxError) return [];
    throw cause;
  }
}
