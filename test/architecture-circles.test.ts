import test from 'ava';
import {isGenerated, product} from './support/source-tree.js';

/** What each node reaches in one step. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Groups of nodes that reach each other, with each at least two. */
function circles(graph: Graph): string[][] {
  const reach = new Map<string, Set<string>>();
  for (const start of graph.keys()) {
    const seen = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const next of graph.get(node) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    reach.set(start, seen);
  }
  const found = new Map<string, string[]>();
  for (const [node, seen] of reach) {
    const circle = [...seen].filter(other => reach.get(other)?.has(node)).sort();
    if (circle.length > 1) found.set(circle.join(), circle);
  }
  return [...found.values()];
}

const own = new Set(product.map(({path}) => path));

/** Of type-only imports too: who reads the one file has to read the other. */
const ofFiles: Graph = new Map(
  product.map(({path, imports}) => [path, new Set(imports.filter(target => own.has(target)))]),
);

test('no files import each other in a circle', t => {
  t.deepEqual(circles(ofFiles), []);
});

/** A component: `core`, `plugins/ingest`, `storage-adapters/postgres`, `diagnostics-agent`. */
const packageOf = (path: string): string =>
  /^(core|diagnostics-agent|plugins\/[^/]+|storage-adapters\/[^/]+)\//.exec(path)?.[1] ?? '';

/** The folder of a package in which a file lies: the first below it; empty for the files of the package itself. */
function folderOf(path: string): string {
  const rest = path.slice(packageOf(path).length + 1);
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : '';
}

const packages = [...new Set(product.map(({path}) => packageOf(path)))].filter(name => name !== '');

for (const name of packages.sort()) {
  test(`no folders of ${name} import each other in a circle`, t => {
    const graph = new Map<string, Set<string>>();
    for (const {path, imports} of product) {
      const from = folderOf(path);
      if (packageOf(path) !== name || from === '' || isGenerated(path)) continue;
      const targets = graph.get(from) ?? new Set();
      for (const target of imports) {
        const to = folderOf(target);
        if (packageOf(target) === name && to !== '' && to !== from) targets.add(to);
      }
      graph.set(from, targets);
    }
    t.deepEqual(circles(graph), []);
  });
}

test('every file of core/toolkit is used by two packages at least', t => {
  const isTool = (path: string): boolean => path.startsWith('core/toolkit/') && path !== 'core/toolkit/index.ts';
  const tools = product.filter(({path}) => isTool(path));
  const lonely = tools.filter(({path}) => {
    // What the toolkit itself uses counts for those who use it there.
    const reached = new Set([path]);
    for (const one of reached) for (const file of tools) if (file.imports.includes(one)) reached.add(file.path);
    const users = product.filter(file => !isTool(file.path) && file.imports.some(target => reached.has(target)));
    return new Set(users.map(user => packageOf(user.path))).size < 2;
  });
  t.deepEqual(
    lonely.map(({path}) => path),
    [],
  );
});
