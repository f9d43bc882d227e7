import {isIPv4, isIPv6} from 'node:net';
import ipaddr from 'ipaddr.js';
import {BoundedMap} from '../bounded-map.js';

export interface HostAddress {
  readonly ipv4?: string;
  /** In canonical form. */
  readonly ipv6?: string;
}

const NONE: HostAddress = {};

/** The longest way to write an address, an IPv6 one that ends in an IPv4 one. */
const LONGEST = 45;

/** Remembered addresses: about as many as there are hosts. */
const CAPACITY = 10_000;

/** Reads IP addresses, of which a few come again and again. */
export class Addresses {
  readonly #known = new BoundedMap<HostAddress>(CAPACITY);

  /** Empty when the text is no address. */
  of(text: string): HostAddress {
    if (text === '' || text.length > LONGEST) return NONE;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const address = parse(text);
    this.#known.set(text, address);
    return address;
  }
}

function parse(text: string): HostAddress {
  if (isIPv4(text)) return {ipv4: text};
  // An address with a zone means something only on the host that sent it.
  if (!isIPv6(text) || text.includes('%')) return NONE;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? {ipv4: address.toIPv4Address().toString()} : {ipv6: address.toRFC5952String()};
}
