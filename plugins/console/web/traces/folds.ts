import type {SpanTree, TreeSpan} from './model.js';

/** The spans whose children are hidden. */
export type Folds = ReadonlySet<TreeSpan>;

const ALL = 'all';
/** More are not told by an address: it would become longer than what proxies and chats take. */
const MOST = 100;

export const allFolds = ({spans}: SpanTree): Folds => new Set(spans.filter(({children}) => children.length > 0));

/** As an address holds them: `all`, or ids with commas between them. */
export function foldsFrom(text: string | null, trace: SpanTree): Folds {
  if (text === null || text === '') return new Set();
  if (text === ALL) return allFolds(trace);
  const ids = new Set(text.split(','));
  return new Set(trace.spans.filter(({id, children}) => children.length > 0 && ids.has(id)));
}

/** Undefined for none, and for more than an address tells. */
export function foldsText(folds: Folds, trace: SpanTree): string | undefined {
  if (folds.size > 0 && folds.size === allFolds(trace).size) return ALL;
  return folds.size === 0 || folds.size > MOST ? undefined : [...new Set([...folds].map(({id}) => id))].join(',');
}

/** The same where nothing hides the span. */
export function withoutFoldsAbove(span: TreeSpan, folds: Folds): Folds {
  const open = new Set(folds);
  for (let at = span.parent; at !== undefined; at = at.parent) open.delete(at);
  return open.size === folds.size ? folds : open;
}
