/** Decodes answers in the format RowBinary into rows of plain values, as a client library does that knows the columns. */

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

type Read = (from: Cursor) => unknown;

export function rowDecoder(types: readonly string[]): (bytes: Buffer) => readonly unknown[][] {
  const columns = types.map(readerOf);
  return bytes => {
    const rows: unknown[][] = [];
    for (const from: Cursor = {bytes, at: 0}; from.at < bytes.length; ) rows.push(columns.map(read => read(from)));
    return rows;
  };
}

const PLAIN: Readonly<Record<string, Read>> = {
  UInt8: from => from.bytes[from.at++],
  Int32: from => from.bytes.readInt32LE(taken(from, 4)),
  Int64: from => from.bytes.readBigInt64LE(taken(from, 8)),
  UInt64: from => from.bytes.readBigUInt64LE(taken(from, 8)),
  Float64: from => from.bytes.readDoubleLE(taken(from, 8)),
  String: from => {
    const size = varint(from);
    const begin = taken(from, size);
    return from.bytes.toString('utf8', begin, begin + size);
  },
};

function readerOf(type: string): Read {
  const [, outer = type, inner = ''] = /^(\w+)\((.*)\)$/.exec(type) ?? [];
  if (outer === 'LowCardinality') return readerOf(inner);
  if (outer === 'FixedString') return from => from.bytes.subarray(taken(from, Number(inner)), from.at);
  if (outer === 'Array') {
    const read = readerOf(inner);
    return from => Array.from({length: varint(from)}, () => read(from));
  }
  if (outer === 'Tuple') {
    const parts = inner.split(/, (?![^(]*\))/).map(readerOf);
    return from => parts.map(read => read(from));
  }
  const read = PLAIN[outer];
  if (read === undefined) throw new Error(`a column has the type ${type}`);
  return read;
}

/** Steps over so many bytes, and gives where they begin. */
function taken(from: Cursor, size: number): number {
  const begin = from.at;
  from.at += size;
  return begin;
}

function varint(from: Cursor): number {
  let value = 0;
  for (let factor = 1; ; factor *= 0x80) {
    const byte = from.bytes[from.at++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
  }
}
