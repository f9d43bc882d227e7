import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {loadConfig} from '../../../core/config/load.js';
import {uncached} from '../../../core/config/uncached.js';
import {scratchFolder} from '../../support/gateway.js';

test('what is kept in memory for queries is the least, also in a storage within another, and nothing else changes', async t => {
  const folder = await scratchFolder(t);
  const embedded = (name: string) => ({
    use: 'embedded',
    config: {path: `./${name}`, memory: '64MiB', durability: 'power'},
  });
  const file = join(folder, 'tee.json');
  const config = {primary: embedded('a'), secondary: embedded('b')};
  await writeFile(file, JSON.stringify({storage: {use: 'tee', config}, plugins: []}));
  const {storage} = await loadConfig({file}, builtins);
  if (storage === undefined) throw new Error('there is no storage');
  const memories = ({config: all}: {readonly config: unknown}): readonly unknown[] =>
    Object.values(all as Record<string, {config?: object}>).flatMap(({config: one}) => one ?? []);
  const expected = memories(storage).map(one => ({...(one as object), memory: 0}));
  t.is(expected.length, 2);
  t.deepEqual(memories(uncached(storage)), expected);
  t.true(memories(storage).every(one => (one as {memory: number}).memory === 64 << 20));
});
