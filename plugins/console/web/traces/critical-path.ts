import type {TreeSpan} from './model.js';

/** A piece of the time that a trace's length depends on. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * Of each span the time on the critical path: walked from the end of the root backwards, always in the child that ended
 * last before. Making any other span faster would not make the trace shorter.
 */
export function criticalPath(root: TreeSpan | undefined): ReadonlyMap<TreeSpan, readonly Piece[]> {
  const pieces = new Map<TreeSpan, Piece[]>();
  if (root === undefined) return pieces;
  const note = (span: TreeSpan, from: number, to: number): void => {
    if (to <= from) return;
    const own = pieces.get(span);
    if (own === undefined) pieces.set(span, [{from, to}]);
    else own.push({from, to});
  };
  const stack = [frameOf(root, root.start + root.duration)];
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const {span, to, rest} = frame;
    let {next} = frame;
    let child = rest[next++];
    while (child !== undefined && (child.start >= to || child.start + child.duration <= span.start))
      child = rest[next++];
    if (child === undefined) {
      note(span, span.start, to);
      continue;
    }
    const end = Math.min(to, child.start + child.duration);
    note(span, end, to);
    stack.push({span, to: Math.max(child.start, span.start), rest, next});
    stack.push(frameOf(child, end));
  }
  return pieces;
}

/** A span whose time until `to` is not told yet; of its children `rest` those before `next` are. */
interface Frame {
  readonly span: TreeSpan;
  readonly to: number;
  readonly rest: readonly TreeSpan[];
  readonly next: number;
}

function frameOf(span: TreeSpan, to: number): Frame {
  const rest = [...span.children].sort((a, b) => b.start + b.duration - (a.start + a.duration));
  return {span, to, rest, next: 0};
}

/**
 * The pieces that a picture of a window shows, from its begin to its end. Those that stand closer than `least` are one: a
 * span of thousands of children is no thousands of lines.
 */
export function piecesIn(pieces: readonly Piece[], window: Piece, least: number): readonly Piece[] {
  const shown: Piece[] = [];
  // A span's pieces come from its end backwards.
  for (const {from, to} of pieces.toReversed()) {
    if (to <= window.from || from >= window.to) continue;
    const before = shown.at(-1);
    if (before !== undefined && from - before.to < least) shown[shown.length - 1] = {from: before.from, to};
    else shown.push({from: Math.max(from, window.from), to});
  }
  return shown.map(({from, to}) => ({from, to: Math.min(to, window.to)}));
}
