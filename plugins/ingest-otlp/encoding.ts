import {delimitedBytes, varintBytes} from '../../core/toolkit/protobuf/wire-writer.js';

/** How a request, and so its answer, is written. */
export type OtlpEncoding = 'protobuf' | 'json';

export const CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** The encoding that a content type names, whatever its parameters; undefined for another type, or none. */
export function encodingOf(contentType: string | readonly string[] | undefined): OtlpEncoding | undefined {
  const type = String(contentType ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  if (type === CONTENT_TYPES.protobuf) return 'protobuf';
  return type === CONTENT_TYPES.json ? 'json' : undefined;
}

/** What of a request was not stored while the rest of it was. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly errorMessage: string;
}

/** `ExportTraceServiceResponse`: of zero bytes where everything was stored. */
export function responseBytes(partial: PartialSuccess | undefined): Buffer {
  if (partial === undefined) return Buffer.alloc(0);
  const {rejectedSpans, errorMessage} = partial;
  return delimitedBytes(1, Buffer.concat([varintBytes(1, rejectedSpans), delimitedBytes(2, errorMessage)]));
}

export function responseJson(partial: PartialSuccess | undefined): string {
  if (partial === undefined) return '{}';
  // Integers of 64 bits are text.
  return JSON.stringify({partialSuccess: {...partial, rejectedSpans: String(partial.rejectedSpans)}});
}
