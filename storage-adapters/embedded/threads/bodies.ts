/**
 * The bodies of fragments: what the database holds of each. Those of one kind of traces are all texts (JSON), or all bytes.
 * Several of them go between threads as one, because a message of thousands of small parts takes long to copy.
 */
export type Body = string | Uint8Array;

/** Texts as one JSON array; bytes in one piece. */
export type JoinedBodies = string | JoinedBytes;

export interface JoinedBytes {
  readonly bytes: Uint8Array;
  /** Where each body ends. */
  readonly ends: Uint32Array;
}

export function joinTexts(bodies: readonly Body[]): string {
  return `[${bodies.join(',')}]`;
}

export function joinBytes(bodies: readonly Body[]): JoinedBytes {
  const ends = new Uint32Array(bodies.length);
  let length = 0;
  bodies.forEach((body, index) => {
    length += body.length;
    ends[index] = length;
  });
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const body of bodies) {
    bytes.set(body as Uint8Array, at);
    at += body.length;
  }
  return {bytes, ends};
}

/** The bodies that were joined: views. */
export function splitBytes({bytes, ends}: JoinedBytes): readonly Uint8Array[] {
  return Array.from(ends, (end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
