import {deflateSync, inflateSync} from 'node:zlib';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {DamagedValues} from '../../disk/storage-error.js';
import type {Body} from '../../threads/bodies.js';

/** A fragment as it stands in the tables, without its identity. */
export interface StoredFragment {
  /** 0 when it has no time. */
  readonly row: number;
  /** Microseconds; null when it has no time, and then the end is null too. */
  readonly start: number | null;
  readonly end: number | null;
  readonly body: Body;
}

/** Of 1 to 9: what is beyond it costs time and saves nothing. */
const LEVEL = 6;

/** What `decodeRows` reads: each as its distance from the one before; `rows` ascend. */
export function encodeRows(rows: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (const row of rows) {
    putVarint(bytes, row - previous);
    previous = row;
  }
  return Uint8Array.from(bytes);
}

export function decodeRows(bytes: Uint8Array): readonly number[] {
  const reader = new WireReader(bytes);
  const rows: number[] = [];
  let row = 0;
  while (reader.position < bytes.length) {
    row += reader.varint(bytes.length);
    rows.push(row);
  }
  return rows;
}

/**
 * The times and bodies of some fragments, compressed: of each its start (from the earliest of all, which comes first),
 * how long after that it ends, and the length of its body; then the bodies. The form of zlib, whose checksums tell what
 * was changed, and a dictionary that was changed too.
 */
export function encodePack(fragments: readonly StoredFragment[], dictionary: Uint8Array): Uint8Array {
  const times: number[] = [];
  const base = fragments.reduce((least, {start}) => Math.min(least, start ?? least), Number.MAX_SAFE_INTEGER);
  putVarint(times, base);
  const bodies = fragments.map(({start, end, body}) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    putVarint(times, (start ?? base) - base);
    putVarint(times, (end ?? 0) - (start ?? 0));
    putVarint(times, bytes.length);
    return bytes;
  });
  return deflateSync(Buffer.concat([Uint8Array.from(times), ...bodies]), {level: LEVEL, dictionary});
}

/** `rows` are those of the fragments; `isText` tells that bodies are texts. */
export function decodePack(
  rows: readonly number[],
  data: Uint8Array,
  dictionary: Uint8Array,
  isText: boolean,
): readonly StoredFragment[] {
  const content = inflated(data, dictionary);
  const reader = new WireReader(content);
  const end = content.length;
  const base = reader.varint(end);
  const heads = rows.map(row => {
    const start = base + reader.varint(end);
    return {row, start, end: start + reader.varint(end), length: reader.varint(end)};
  });
  let at = reader.position;
  return heads.map(({length, ...head}) => {
    const from = at;
    at += length;
    const body = bodyOf(content, from, at, isText);
    return head.row === 0 ? {row: 0, start: null, end: null, body} : {...head, body};
  });
}

/** The bodies alone, of the content of a pack: copies. */
export function decodeBodies(content: Buffer, isText: boolean): readonly Body[] {
  const reader = new WireReader(content);
  const end = content.length;
  reader.varint(end);
  const lengths: number[] = [];
  // The bodies take all that is left behind the last of the heads.
  for (let sum = 0; reader.position + sum < end; ) {
    reader.varint(end);
    reader.varint(end);
    const length = reader.varint(end);
    lengths.push(length);
    sum += length;
  }
  let at = reader.position;
  return lengths.map(length => {
    const from = at;
    at += length;
    const body = bodyOf(content, from, at, isText);
    return typeof body === 'string' ? body : Uint8Array.from(body);
  });
}

function bodyOf(content: Buffer, from: number, to: number, isText: boolean): Body {
  return isText ? content.toString('utf8', from, to) : content.subarray(from, to);
}

function inflated(data: Uint8Array, dictionary: Uint8Array): Buffer {
  try {
    return inflateSync(data, {dictionary});
  } catch (error) {
    throw new DamagedValues('compressed spans are not what was written', {cause: error});
  }
}

/** A whole number from 0 to 2^53. */
function putVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
}
