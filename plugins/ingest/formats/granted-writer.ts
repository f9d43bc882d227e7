import {type Capabilities, type CapabilityName, GatewayError, type Readers} from '../../../core/api/plugin.js';

/** The writer of a capability, or the refusal that names what is missing. */
export function grantedWriter<Name extends CapabilityName>(
  writers: Readers,
  capability: Name,
  format: string,
): Capabilities[Name] {
  const writer = writers[capability];
  if (writer === undefined) {
    throw new GatewayError(
      'unsupported_backend',
      `the configured storage cannot take ${format}: it does not supply the capability ${capability}`,
    );
  }
  return writer;
}
