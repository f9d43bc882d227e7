import type {SpanTree, TreeSpan} from './model.js';

/** What of a trace is in view. */
export interface RowChoice {
  readonly folded: ReadonlySet<TreeSpan>;
  /** Only spans of this service and what leads to them; empty for all. */
  readonly service: string;
}

/** The rows of the tree, from top to bottom. */
export function rowsOf({spans}: SpanTree, {folded, service}: RowChoice): readonly TreeSpan[] {
  const kept = service === '' ? undefined : withAncestors(spans.filter(span => span.service === service));
  const rows: TreeSpan[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const span of spans) {
    if (span.level > hiddenBelow) continue;
    hiddenBelow = Number.POSITIVE_INFINITY;
    if (kept !== undefined && !kept.has(span)) continue;
    rows.push(span);
    if (folded.has(span)) hiddenBelow = span.level;
  }
  return rows;
}

function withAncestors(spans: readonly TreeSpan[]): ReadonlySet<TreeSpan> {
  const kept = new Set<TreeSpan>();
  for (const span of spans) {
    for (let at: TreeSpan | undefined = span; at !== undefined && !kept.has(at); at = at.parent) kept.add(at);
  }
  return kept;
}

/** Spans that hold a text: in their name, service, attributes or events, whatever the case. */
export function matchesOf({spans}: SpanTree, text: string): readonly TreeSpan[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const has = (value: string | undefined): boolean => value?.toLowerCase().includes(wanted) ?? false;
  return spans.filter(({name, service, id, raw}) => {
    if (has(name) || has(service) || has(id)) return true;
    const {attributes = [], events = []} = raw;
    return (
      attributes.some(({key, value}) => has(key) || has(JSON.stringify(value))) ||
      events.some(event => has(event.name) || has(JSON.stringify(event.attributes)))
    );
  });
}
