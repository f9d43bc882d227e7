export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, where no host means every address; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]*)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  return {host: bracketed || plain || '0.0.0.0', port};
}

export function formatAddress({host, port}: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address by which this machine reaches what listens on `host`. */
export function reachableAddress({host, port}: Address): string {
  const own: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1'};
  return formatAddress({host: own[host] ?? host, port});
}
