export interface GraphPoint {
  readonly x: number;
  readonly y: number;
}

/** Nodes above each other, by their left and their upper sides; `tops` from top to bottom. */
export interface NodeColumn {
  readonly x: number;
  readonly tops: readonly number[];
}

export const NODE = {width: 196, height: 40};
/** How far a line stays away from the nodes that it passes. */
const CLEAR = 4;
/** How far a line may leave the picture's upper and lower edge. */
const OUTSIDE = 8;
/** How far a line that turns round swings out: less than lies between two columns. */
const SWING = 16;

/** Where a line may pass a column, from one height to another. */
interface Lane {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the lines of edges, as paths of an SVG, from the right side of a node to the left side of another. A line passes
 * every column between the two level, in a lane where no node stands, and changes its height only between columns: so it
 * never runs behind a node. One that leads back, or to its own node, passes also the columns of its ends.
 */
export function routesOf(columns: readonly NodeColumn[], height: number) {
  const stacks = columns.map(({x, tops}) => ({x, lanes: lanesOf(tops, height)}));
  const indexes = new Map(columns.map(({x}, i) => [x, i]));
  /** `from` and `to`: the upper left corners of nodes in a column. */
  return (from: GraphPoint, to: GraphPoint): string => {
    const [first, last] = [indexes.get(from.x) ?? 0, indexes.get(to.x) ?? 0];
    const isBack = first >= last;
    const passed = isBack ? stacks.slice(last, first + 1).reverse() : stacks.slice(first + 1, last);
    const end = {x: to.x, y: to.y + NODE.height / 2};
    let at = {x: from.x + NODE.width, y: from.y + NODE.height / 2};
    let path = `M${textOf(at)}`;
    for (const [i, {x, lanes}] of passed.entries()) {
      const wanted = at.y + (end.y - at.y) / (passed.length + 1 - i);
      const y = nearest(lanes, wanted);
      const [near, far] = isBack ? [x + NODE.width, x] : [x, x + NODE.width];
      path += `${curve(at, {x: near, y}, isBack && i === 0 ? near + SWING : undefined)}H${far}`;
      at = {x: far, y};
    }
    return path + curve(at, end, isBack ? end.x - SWING : undefined);
  };
}

function lanesOf(tops: readonly number[], height: number): readonly Lane[] {
  const bounds = [-OUTSIDE, ...tops.flatMap(top => [top - CLEAR, top + NODE.height + CLEAR]), height + OUTSIDE];
  return Array.from({length: tops.length + 1}, (_, i) => ({from: bounds[2 * i] ?? 0, to: bounds[2 * i + 1] ?? 0}));
}

/** The height within a lane that is nearest to a wanted one; of two as near the upper. */
function nearest(lanes: readonly Lane[], wanted: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (const {from, to} of lanes) {
    const y = Math.min(Math.max(wanted, from), to);
    if (Math.abs(y - wanted) < Math.abs(best - wanted)) best = y;
  }
  return best;
}

/** A curve that begins and ends level, and is drawn towards `x` in between. */
function curve(from: GraphPoint, to: GraphPoint, x = (from.x + to.x) / 2): string {
  return `C${textOf({x, y: from.y})} ${textOf({x, y: to.y})} ${textOf(to)}`;
}

const textOf = ({x, y}: GraphPoint): string => `${x} ${Math.round(y * 10) / 10}`;
