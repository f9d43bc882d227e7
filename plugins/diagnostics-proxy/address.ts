export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The form of an address. Ports beyond the range have it too, so that they can be told what is wrong with them. */
export const ADDRESS_PATTERN = '^(?:\\[([0-9A-Fa-f:.]*)\\]|([^:\\[\\]\\s]*)):(\\d+)$';
const ADDRESS = new RegExp(ADDRESS_PATTERN);
const LAST_PORT = 65_535;

/** `host:port`, where no host means every address; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain, digits] = ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > LAST_PORT) return undefined;
  return {host: bracketed || plain || '0.0.0.0', port};
}

/** What would be an address instead of a text that is none; undefined when it is one. */
export function expectedAddress(text: string): string | undefined {
  if (parseAddress(text) !== undefined) return undefined;
  return ADDRESS.test(text) ? `a port from 0 to ${LAST_PORT}` : 'host:port or :port';
}

export function formatAddress({host, port}: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address by which this machine reaches what listens on `host`. */
export function reachableAddress({host, port}: Address): string {
  const own: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};
  return formatAddress({host: own[host] ?? host, port});
}
