import type {CompatEndpoint} from '../../../core/api/plugin.js';
import type {Addresses} from '../../../core/toolkit/traces/addresses.js';

const GREATEST_PORT = 65_535;

interface Keys {
  /** Of names in the order in which they count; the first is none that an address could stand in. */
  readonly names: readonly string[];
  readonly ip: string;
  readonly port: string;
}

const LOCAL: Keys = {names: [], ip: 'net.host.ip', port: 'net.host.port'};
const REMOTE: Keys = {names: ['peer.service', 'net.peer.name'], ip: 'net.peer.ip', port: 'net.peer.port'};

/** The service itself, with the address that its tags tell; these tags are taken out. */
export function localEndpoint(tags: Map<string, string>, service: string, addresses: Addresses): CompatEndpoint {
  return {...endpointOf(tags, LOCAL, addresses), serviceName: service.toLowerCase()};
}

/** Whom the span spoke to, from its tags, which are taken out; undefined when they name nobody. */
export function remoteEndpoint(tags: Map<string, string>, addresses: Addresses): CompatEndpoint | undefined {
  const {serviceName, ...address} = endpointOf(tags, REMOTE, addresses);
  if (serviceName === undefined && address.ipv4 === undefined && address.ipv6 === undefined) return undefined;
  return serviceName === undefined ? address : {...address, serviceName};
}

function endpointOf(tags: Map<string, string>, keys: Keys, addresses: Addresses): CompatEndpoint {
  const taken = (key: string): string => {
    const value = tags.get(key) ?? '';
    if (value !== '') tags.delete(key);
    return value;
  };
  const [peer = '', host = ''] = keys.names;
  let name = peer === '' ? '' : taken(peer);
  let address = {};
  if (name === '' && host !== '') {
    const text = taken(host);
    address = addresses.of(text);
    if (Object.keys(address).length === 0) name = text;
  }
  const ip = taken(keys.ip);
  const ofIp = addresses.of(ip);
  if (Object.keys(ofIp).length > 0) address = ofIp;
  else if (name === '') name = ip;
  const port = Number(taken(keys.port));
  return {
    ...address,
    ...(name !== '' && {serviceName: name.toLowerCase()}),
    ...(Number.isInteger(port) && port > 0 && port <= GREATEST_PORT && {port}),
  };
}
