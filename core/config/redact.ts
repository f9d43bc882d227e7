import type {JsonSchema} from '../api/json-schema.js';
import type {GatewayConfig} from './gateway-config.js';

const HIDDEN = '(hidden)';

/** The value with everything hidden that its schema marks as `x-secret`. */
export function redact(schema: JsonSchema, value: unknown): unknown {
  if (schema['x-secret'] === true) return HIDDEN;
  if (Array.isArray(value)) return value.map(item => redact((schema.items ?? {}) as JsonSchema, item));
  if (typeof value !== 'object' || value === null) return value;
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(properties[key] ?? {}, item)]));
}

/** The configuration as it may be printed. */
export function printable({storage, plugins, ...rest}: GatewayConfig): object {
  const component = ({definition, ...entry}: {readonly definition: Named; readonly config: unknown}) => ({
    ...entry,
    use: definition.name,
    config: redact(definition.configSchema, entry.config),
  });
  return {...rest, storage: storage && component(storage), plugins: plugins.map(component)};
}

interface Named {
  readonly name: string;
  readonly configSchema: JsonSchema;
}
