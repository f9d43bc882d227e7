import type {JsonSchema} from '../api/json-schema.js';
import {ACCESS} from './access.js';
import type {GatewayConfig} from './gateway-config.js';
import {redact} from './redact.js';

/** The configuration as it may be printed. */
export function printable({storage, plugins, access, ...rest}: GatewayConfig): object {
  const component = ({definition, ...entry}: {readonly definition: Named; readonly config: unknown}) => ({
    ...entry,
    use: definition.name,
    config: redact(definition.configSchema, entry.config),
  });
  return {
    ...rest,
    access: access && redact(ACCESS, access),
    storage: storage && component(storage),
    plugins: plugins.map(component),
  };
}

interface Named {
  readonly name: string;
  readonly configSchema: JsonSchema;
}
