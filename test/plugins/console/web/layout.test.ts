import test from 'ava';
import fc from 'fast-check';
import {layoutOf} from '../../../../plugins/console/web/base/layout.js';
import {NODE} from '../../../../plugins/console/web/base/routes.js';

const graph = fc.uniqueArray(fc.string({minLength: 1, maxLength: 4}), {minLength: 1, maxLength: 40}).chain(nodes =>
  fc.record({
    nodes: fc.constant(nodes),
    edges: fc.array(fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes)), {maxLength: 80}),
  }),
);

test('the order in which a graph is given does not change where its nodes are', t => {
  fc.assert(
    fc.property(graph, fc.func(fc.integer()), ({nodes, edges}, order) => {
      const shuffled = <T>(list: readonly T[]): T[] => [...list].sort((a, b) => order(a) - order(b));
      const [first, second] = [layoutOf({nodes, edges}), layoutOf({nodes: shuffled(nodes), edges: shuffled(edges)})];
      t.deepEqual(new Map([...first.places].sort()), new Map([...second.places].sort()));
    }),
  );
});

test('every node has a place of its own within the picture, circles and loops or not', t => {
  fc.assert(
    fc.property(graph, ({nodes, edges}) => {
      const {places, width, height} = layoutOf({nodes, edges});
      t.is(places.size, nodes.length);
      const all = [...places.values()];
      for (const [i, a] of all.entries()) {
        t.true(a.x >= 0 && a.y >= 0 && a.x + NODE.width <= width + 1e-6 && a.y + NODE.height <= height + 1e-6);
        for (const b of all.slice(i + 1)) {
          t.true(Math.abs(a.x - b.x) >= NODE.width || Math.abs(a.y - b.y) >= NODE.height);
        }
      }
    }),
  );
});

/** Points along a path of curves and level lines. */
function pointsOf(path: string): readonly (readonly [x: number, y: number])[] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (const [, command, rest = ''] of path.matchAll(/([MCH])([-\d. ]+)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = rest.trim().split(' ').map(Number);
    const [x0, y0] = [x, y];
    if (command === 'M') {
      [x, y] = [a, b];
      continue;
    }
    [x, y] = command === 'H' ? [a, y] : [e, f];
    for (let t = 0; t <= 1; t += 1 / 16) {
      const mix = (p0: number, p1: number, p2: number, p3: number): number =>
        (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t ** 2 * p2 + t ** 3 * p3;
      if (command === 'C') points.push([mix(x0, a, c, e), mix(y0, b, d, f)]);
      else points.push([x0 + t * (x - x0), y]);
    }
  }
  return points;
}

test('no line runs behind a node, whatever it passes: it begins right of its caller and ends left of whom it calls', t => {
  fc.assert(
    fc.property(graph, ({nodes, edges}) => {
      const {places, routes} = layoutOf({nodes, edges});
      t.is(routes.length, edges.length);
      for (const [i, [from, to]] of edges.entries()) {
        const points = pointsOf(routes[i] ?? '');
        const [begin, end] = [places.get(from), places.get(to)];
        const middle = NODE.height / 2;
        t.true(routes[i]?.startsWith(`M${(begin?.x ?? 0) + NODE.width} ${(begin?.y ?? 0) + middle}C`));
        t.true(routes[i]?.endsWith(` ${end?.x} ${(end?.y ?? 0) + middle}`));
        for (const {x, y} of places.values()) {
          const inside = points.find(
            ([px, py]) => px > x + 1 && px < x + NODE.width - 1 && py > y && py < y + NODE.height,
          );
          t.is(inside, undefined, routes[i]);
        }
      }
    }),
  );
});

test('callers stand left of whom they call', t => {
  const {places} = layoutOf({
    nodes: ['a', 'b', 'c'],
    edges: [
      ['c', 'b'],
      ['b', 'a'],
    ],
  });
  const x = (name: string): number => places.get(name)?.x ?? Number.NaN;
  t.true(x('c') < x('b') && x('b') < x('a'));
});

test('500 nodes with 2,000 lines are placed', t => {
  const nodes = Array.from({length: 500}, (_, i) => `service-${i}`);
  const edges = Array.from(
    {length: 2000},
    (_, i) => [`service-${(i * 7) % 500}`, `service-${(i * 31 + 11) % 500}`] as const,
  );
  const begin = performance.now();
  t.is(layoutOf({nodes, edges}).places.size, 500);
  t.log(`in ${(performance.now() - begin).toFixed(1)} ms`);
});
