/** Addresses from their bytes, in canonical form; undefined for bytes that are none. */
export function ipv4(bytes: Uint8Array): string | undefined {
  return bytes.byteLength === 4 ? bytes.join('.') : undefined;
}

export function ipv6(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength !== 16) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  const groups = Array.from({length: 8}, (_, i) => view.getUint16(2 * i).toString(16));
  // A URL writes the address in its shortest form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
