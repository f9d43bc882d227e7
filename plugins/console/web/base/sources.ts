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

export function sourceOf(id: string): SpanSource | undefined {
  return SOURCES.find(source => source.id === id);
}
