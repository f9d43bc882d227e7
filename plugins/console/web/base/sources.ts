/** The kinds of traces, by the word that stands in addresses. */
export interface SpanSource {
  readonly id: string;
  readonly text: string;
  /** The id of the plugin that answers for it. */
  readonly plugin: string;
}

export const SOURCES: readonly SpanSource[] = [
  {id: 'native', text: 'Native', plugin: 'traceql-native'},
  {id: 'compat', text: 'Compat', plugin: 'traceql-compat'},
  {id: 'otlp', text: 'OTLP', plugin: 'traceql-otlp'},
];

/** An id as the API takes it. Agents log those of native traces as text, and the API has the hex form of its UTF-8. */
export function idFrom({id}: SpanSource, text: string): string {
  if (id !== 'native' || /^([0-9a-f]{2})+$/i.test(text)) return text;
  return [...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The text of a native id, where it is one that people read. */
export function readableId({id}: SpanSource, hex: string): string | undefined {
  if (id !== 'native' || !/^([0-9a-f]{2})+$/i.test(hex)) return undefined;
  const text = new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], byte => Number.parseInt(byte, 16)));
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

export function sourceOf(id: string): SpanSource | undefined {
  return SOURCES.find(source => source.id === id);
}
