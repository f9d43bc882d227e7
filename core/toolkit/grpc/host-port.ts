export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** The form of an address. Ports beyond the range have it too, so that they can be told what is wrong with them. */
export const HOST_PORT_PATTERN = '^(?:\\[([0-9A-Fa-f:.]*)\\]|([^:\\[\\]\\s]*)):(\\d+)$';
const HOST_PORT = new RegExp(HOST_PORT_PATTERN);
const LAST_PORT = 65_535;

/** What would be an address instead of a text that is none; undefined when it is one. */
export function expectedHostPort(text: string): string | undefined {
  const [, , , digits] = HOST_PORT.exec(text) ?? [];
  if (digits === undefined) return 'host:port or :port';
  return Number(digits) > LAST_PORT ? `a port from 0 to ${LAST_PORT}` : undefined;
}

/** `host:port`, where no host means every address. Of what has been checked: throws a `RangeError` for anything else. */
export function parseHostPort(text: string): HostPort {
  const expected = expectedHostPort(text);
  if (expected !== undefined) throw new RangeError(`found ${JSON.stringify(text)}, expected ${expected}`);
  const [, bracketed, plain, digits] = HOST_PORT.exec(text) ?? [];
  return {host: bracketed || plain || '0.0.0.0', port: Number(digits)};
}

export function formatHostPort({host, port}: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address by which this machine reaches what listens on `host`. */
export function reachableAddress({host, port}: HostPort): string {
  const own: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};
  return formatHostPort({host: own[host] ?? host, port});
}
