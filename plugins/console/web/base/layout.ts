import {type GraphPoint, NODE, type NodeColumn, routesOf} from './routes.js';

/** A graph as the layout needs it: nodes by their keys, edges by theirs. */
export interface Graph {
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

export interface GraphLayout {
  /** The upper left corner of each node. */
  readonly places: ReadonlyMap<string, GraphPoint>;
  /** The line of each edge, in the order in which they were given, as the path of an SVG; empty where an end is unknown. */
  readonly routes: readonly string[];
  readonly width: number;
  readonly height: number;
}

const GAP = {x: 76, y: 16, column: 20};
/** A rank of more nodes than this stands in several columns side by side. */
const TALLEST = 14;
const SWEEPS = 12;

/**
 * Places callers left of whom they call, in ranks, so that few lines cross. Nodes without edges come below, in a block. The
 * same graph is placed the same, whatever the order in which it is given: nothing is random, and names decide ties.
 */
export function layoutOf({nodes, edges}: Graph): GraphLayout {
  const known = new Set(nodes);
  const inner = edges.filter(([from, to]) => known.has(from) && known.has(to));
  const lines = inner.filter(([from, to]) => from !== to).sort(byNames);
  const names = [...new Set(inner.flat())].sort(compare);
  const ranks = ranksOf(names, lines);
  const columns = orderedColumns(names, lines, ranks);
  const places = new Map<string, GraphPoint>();
  const stacks: NodeColumn[] = [];
  const tallest = Math.max(0, ...columns.map(column => Math.min(column.length, TALLEST)));
  const full = tallest * (NODE.height + GAP.y) - GAP.y;
  let x = 0;
  for (const column of columns) {
    const parts = Math.ceil(column.length / TALLEST);
    const rows = Math.ceil(column.length / parts);
    const top = (full - (rows * (NODE.height + GAP.y) - GAP.y)) / 2;
    for (let i = 0; i < column.length; i += rows) {
      const tops = column.slice(i, i + rows).map((name, row) => {
        const place = {x, y: top + row * (NODE.height + GAP.y)};
        places.set(name, place);
        return place.y;
      });
      stacks.push({x, tops});
      x += NODE.width + GAP.column;
    }
    x += GAP.x - GAP.column;
  }
  const routeOf = routesOf(stacks, full);
  const routes = edges.map(([from, to]) => {
    const [begin, end] = [places.get(from), places.get(to)];
    return begin === undefined || end === undefined ? '' : routeOf(begin, end);
  });
  const alone = [...known].filter(name => !places.has(name)).sort(compare);
  const below = placeAlone(
    alone,
    Math.max(x - GAP.x, 4 * (NODE.width + GAP.column)),
    full > 0 ? full + 2 * GAP.y : 0,
    places,
  );
  const right = Math.max(NODE.width, ...[...places.values()].map(place => place.x + NODE.width));
  return {places, routes, width: right, height: Math.max(NODE.height, full, below)};
}

/** Gives the lower edge of the block. */
function placeAlone(names: readonly string[], width: number, top: number, places: Map<string, GraphPoint>): number {
  const perRow = Math.max(1, Math.floor((width + GAP.column) / (NODE.width + GAP.column)));
  names.forEach((name, i) => {
    places.set(name, {
      x: (i % perRow) * (NODE.width + GAP.column),
      y: top + Math.floor(i / perRow) * (NODE.height + GAP.y),
    });
  });
  return top + Math.ceil(names.length / perRow) * (NODE.height + GAP.y) - GAP.y;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byNames = (a: readonly [string, string], b: readonly [string, string]): number =>
  compare(a[0], b[0]) || compare(a[1], b[1]);

/** The longest way that leads to each node, in edges; those that close a circle do not count. */
function ranksOf(names: readonly string[], edges: Graph['edges']): ReadonlyMap<string, number> {
  const next = new Map<string, string[]>(names.map(name => [name, []]));
  const callers = new Map<string, number>(names.map(name => [name, 0]));
  for (const [from, to] of edges) {
    next.get(from)?.push(to);
    callers.set(to, (callers.get(to) ?? 0) + 1);
  }
  // Whom nobody calls comes first; of circles alone, who is called least.
  const starts = [...names].sort((a, b) => (callers.get(a) ?? 0) - (callers.get(b) ?? 0) || compare(a, b));
  const state = new Map<string, 'open' | 'done'>();
  const finished: string[] = [];
  const forward = new Map<string, string[]>(names.map(name => [name, []]));
  for (const start of starts) {
    const stack = state.has(start) ? [] : [{name: start, at: 0}];
    if (stack.length > 0) state.set(start, 'open');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const target = next.get(top.name)?.[top.at++];
      if (target === undefined) {
        state.set(top.name, 'done');
        finished.push(top.name);
        stack.pop();
      } else if (state.get(target) !== 'open') {
        forward.get(top.name)?.push(target);
        if (!state.has(target)) {
          state.set(target, 'open');
          stack.push({name: target, at: 0});
        }
      }
    }
  }
  const ranks = new Map<string, number>(names.map(name => [name, 0]));
  for (const name of finished.reverse()) {
    const rank = (ranks.get(name) ?? 0) + 1;
    for (const target of forward.get(name) ?? []) ranks.set(target, Math.max(rank, ranks.get(target) ?? 0));
  }
  return ranks;
}

/** The nodes of each rank from top to bottom: each near the middle of those that it has lines to. */
function orderedColumns(
  names: readonly string[],
  edges: Graph['edges'],
  ranks: ReadonlyMap<string, number>,
): readonly (readonly string[])[] {
  const columns: string[][] = [];
  for (const name of names) {
    const rank = ranks.get(name) ?? 0;
    while (columns.length <= rank) columns.push([]);
    columns[rank]?.push(name);
  }
  const neighbours = new Map<string, string[]>(names.map(name => [name, []]));
  for (const [from, to] of edges) {
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const heights = new Map<string, number>();
  const measure = (column: readonly string[]): void => {
    for (const [i, name] of column.entries()) heights.set(name, (i + 0.5) / column.length);
  };
  for (const column of columns) measure(column);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const means = new Map(
        column.map(name => {
          const others = neighbours.get(name) ?? [];
          const sum = others.reduce((total, other) => total + (heights.get(other) ?? 0), 0);
          return [name, others.length === 0 ? (heights.get(name) ?? 0) : sum / others.length];
        }),
      );
      column.sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0) || compare(a, b));
      measure(column);
    }
  }
  return columns;
}
