import test from 'ava';
import fc from 'fast-check';
import {layoutOf, NODE} from '../../../../plugins/console/web/base/layout.js';

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
