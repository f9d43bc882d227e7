/** A trace in OTLP's JSON, as the Tempo API answers it. */
export interface JsonTrace {
  readonly resourceSpans?: readonly {
    readonly resource?: {readonly attributes?: readonly JsonAttribute[]};
    readonly scopeSpans?: readonly {
      readonly scope?: {readonly name?: string; readonly version?: string};
      readonly spans?: readonly JsonSpan[];
    }[];
  }[];
}

export interface JsonSpan {
  readonly traceId?: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: string | number;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly JsonAttribute[];
  readonly events?: readonly {
    readonly name?: string;
    readonly timeUnixNano?: string;
    readonly attributes?: readonly JsonAttribute[];
  }[];
  readonly links?: readonly {
    readonly traceId?: string;
    readonly spanId?: string;
    readonly attributes?: readonly JsonAttribute[];
  }[];
  readonly status?: {readonly code?: string | number; readonly message?: string};
}

export interface JsonAttribute {
  readonly key: string;
  readonly value?: Value;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly bytesValue?: string;
  readonly arrayValue?: {readonly values?: readonly Value[]};
  readonly kvlistValue?: {readonly values?: readonly JsonAttribute[]};
}

/** A value as text, nested ones as JSON. Integers stay text: they may be larger than a number holds. */
export function textOf(value: Value | undefined): string {
  if (value?.stringValue !== undefined) return value.stringValue;
  return value === undefined || Object.keys(value).length === 0 ? '' : jsonOf(value);
}

function jsonOf({arrayValue, kvlistValue, stringValue, ...plain}: Value): string {
  if (arrayValue !== undefined) return `[${(arrayValue.values ?? []).map(jsonOf).join(', ')}]`;
  if (kvlistValue !== undefined) {
    const pairs = (kvlistValue.values ?? []).map(({key, value}) => `${JSON.stringify(key)}: ${jsonOf(value ?? {})}`);
    return `{${pairs.join(', ')}}`;
  }
  if (stringValue !== undefined) return JSON.stringify(stringValue);
  const {intValue, doubleValue, boolValue, bytesValue} = plain;
  return String(intValue ?? doubleValue ?? boolValue ?? bytesValue ?? 'null');
}

/** What names the service of a resource; the first that is there does. */
const SERVICE_KEYS = ['service.name', 'faas.name', 'k8s.deployment.name', 'process.executable.name'];

export function serviceOf(resource: readonly JsonAttribute[]): string {
  for (const wanted of SERVICE_KEYS) {
    const text = textOf(resource.find(({key}) => key === wanted)?.value);
    if (text !== '') return text;
  }
  return 'unknown';
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** A kind in lower case; one that nobody knows is its number. */
export function kindOf(kind: string | number | undefined): string {
  const name = typeof kind === 'number' ? (KINDS[kind] ?? String(kind)) : (kind ?? '').replace('SPAN_KIND_', '');
  return name === 'UNSPECIFIED' ? '' : name.toLowerCase();
}

export function isError({status}: JsonSpan): boolean {
  return status?.code === 'STATUS_CODE_ERROR' || status?.code === 2;
}
