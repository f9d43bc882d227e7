import type {ConfigMistake, JsonSchema} from '../../api/json-schema.js';
import {quote} from '../messages.js';
import {expectedHostPort, HOST_PORT_PATTERN} from './host-port.js';

/** The schema of a key that has the address of a gRPC server. */
export function listenAddress(description: string): JsonSchema {
  return {type: 'string', pattern: HOST_PORT_PATTERN, 'x-pattern': 'is host:port or :port', description};
}

/** What is wrong with such an address that the schema accepts. */
export function listenAddressMistakes(key: string, address: string): readonly ConfigMistake[] {
  const expected = expectedHostPort(address);
  return expected === undefined ? [] : [{key, message: `found ${quote(address)}, expected ${expected}`}];
}
