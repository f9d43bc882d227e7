/** The path of a key below another: `plugins[0].config`, or `listeners["my listener"]` where a dot would mislead. */
export function keyPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** The path of what an RFC 6901 pointer points to inside `value`. */
export function pointerPath(parent: string, value: unknown, pointer: string): string {
  let path = parent;
  let current = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path = keyPath(path, Array.isArray(current) ? Number(key) : key);
    current = (current as Record<string, unknown> | undefined)?.[key];
  }
  return path;
}
