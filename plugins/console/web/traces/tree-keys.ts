import type {TreeSpan} from './model.js';

interface Place {
  readonly rows: readonly TreeSpan[];
  /** The row that is selected. */
  readonly at: number;
  readonly folded: ReadonlySet<TreeSpan>;
  /** Rows of a page. */
  readonly page: number;
}

export interface KeyTarget {
  readonly span: TreeSpan;
  /** Whether to fold or unfold it; absent where it is gone to. */
  readonly fold?: boolean;
}

/** Where a key leads in a tree, by the practice for trees of ARIA; undefined where it means nothing. */
export function targetOf(key: string, {rows, at, folded, page}: Place): KeyTarget | undefined {
  const current = rows[at] ?? rows[0];
  if (current === undefined) return undefined;
  const go = (index: number): KeyTarget | undefined => {
    const span = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    return span && {span};
  };
  const hasChildren = current.children.length > 0;
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(rows.length - 1);
    case 'PageDown':
      return go(at + page);
    case 'PageUp':
      return go(at - page);
    case 'ArrowRight':
      if (!hasChildren) return undefined;
      return folded.has(current) ? {span: current, fold: false} : go(at + 1);
    case 'ArrowLeft':
      if (hasChildren && !folded.has(current)) return {span: current, fold: true};
      return current.parent && {span: current.parent};
    case 'Enter':
    case ' ':
      return hasChildren ? {span: current, fold: !folded.has(current)} : {span: current};
    default:
      return undefined;
  }
}
