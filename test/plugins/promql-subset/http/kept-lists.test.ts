import test from 'ava';
import type {MetadataReader, MetricDefinition} from '../../../../core/api/plugin.js';
import {KeptLists} from '../../../../plugins/promql-subset/http/kept-lists.js';

const CATALOG: readonly MetricDefinition[] = [];
const A = {key: 'a', catalog: CATALOG, version: 1};

/** Lists over a reader whose version is set from outside, with how often each answer was made. */
function lists(version?: () => number) {
  const made: string[] = [];
  const kept = new KeptLists((version === undefined ? {} : {version}) as MetadataReader);
  const ask = async (key: string, catalog = CATALOG, size = 10): Promise<string> => {
    const reply = await kept.answer({key, catalog, version: kept.version()}, async () => {
      made.push(key);
      return {status: 200, body: `${key} ${made.length} `.padEnd(size)};
    });
    return reply.body.trimEnd();
  };
  return {ask, made};
}

test('a list is made once for each question, and again when the entities or the catalog are others', async t => {
  let version = 1;
  const {ask} = lists(() => version);
  t.is(await ask('a'), 'a 1');
  t.is(await ask('b'), 'b 2');
  t.is(await ask('a'), 'a 1');
  version = 2;
  t.is(await ask('a'), 'a 3');
  t.is(await ask('a'), 'a 3');
  const other = [...CATALOG];
  t.is(await ask('a', other), 'a 4');
  t.is(await ask('a', other), 'a 4');
});

test('a list during whose making the entities change is made again', async t => {
  let version = 1;
  const kept = new KeptLists({version: () => version} as MetadataReader);
  const answer = (body: string) =>
    kept.answer({key: 'a', catalog: CATALOG, version: kept.version()}, async () => {
      version = 2;
      return {status: 200, body};
    });
  t.is((await answer('before')).body, 'before');
  t.is((await answer('after')).body, 'after');
  t.is((await answer('never')).body, 'after');
});

test('nothing is kept of a reader that does not tell of changes, and nothing that failed', async t => {
  const {ask, made} = lists();
  await ask('a');
  await ask('a');
  t.is(made.length, 2);
  const kept = new KeptLists({version: () => 1} as MetadataReader);
  const failing = () => Promise.reject(new Error('gone'));
  await t.throwsAsync(kept.answer(A, failing), {message: 'gone'});
  const {body} = await kept.answer(A, async () => ({status: 200, body: 'there'}));
  t.is(body, 'there');
});

test('what is kept is bounded: the least recently used goes first, and very large lists are not kept', async t => {
  const {ask, made} = lists(() => 1);
  const half = 512 * 1024;
  for (let i = 0; i < 15; i++) await ask(`list ${i}`, CATALOG, half);
  await ask('list 0', CATALOG, half);
  t.is(made.length, 15, 'all fifteen are kept');
  await ask('list 15', CATALOG, half);
  await ask('list 0', CATALOG, half);
  t.is(made.length, 16, 'the one that was asked for is still kept');
  await ask('list 1', CATALOG, half);
  t.is(made.length, 17, 'the one that was not has gone');
  for (let i = 0; i < 2; i++) await ask('large', CATALOG, 2 ** 20);
  t.is(made.length, 19);
});

test('a target is answered at once while what it asked for last is kept and stands', async t => {
  let version = 1;
  const kept = new KeptLists({version: () => version} as MetadataReader);
  const ask = (key: string, target: string | undefined, more: {until?: number} = {}) =>
    kept.answer({key, catalog: CATALOG, version: kept.version(), target, ...more}, async () => {
      return {status: 200, body: `${key} ${version}`};
    });
  t.is(kept.ready('/a'), undefined, 'nobody has asked');
  await ask('a', undefined);
  t.is(kept.ready('/a'), undefined, 'nobody has asked by it');
  await ask('a', '/a');
  t.is(kept.ready('/a')?.body, 'a 1');
  await ask('a', '/other');
  t.is(kept.ready('/other')?.body, 'a 1');
  t.is(kept.ready('/a'), undefined, 'a list has one target');

  version = 2;
  t.is(kept.ready('/other'), undefined, 'the entities are others');
  await ask('a', '/other');
  t.is(kept.ready('/other')?.body, 'a 2');

  await ask('b', '/other');
  t.is(kept.ready('/other')?.body, 'b 2', 'the target asks for another list now');
  await ask('a', '/a');
  t.is(kept.ready('/other')?.body, 'b 2', 'the other list leaves it its target');

  const now = Date.now() / 1000;
  await ask('c', '/c', {until: now + 3600});
  t.is(kept.ready('/c')?.body, 'c 2');
  await ask('d', '/d', {until: now - 1});
  t.is(kept.ready('/d'), undefined, 'its time is over');
});

test('a target that was answered at once is no less used than one that was asked for', async t => {
  const kept = new KeptLists({version: () => 1} as MetadataReader);
  const body = ''.padEnd(512 * 1024);
  const ask = (name: string) =>
    kept.answer({key: name, catalog: CATALOG, version: 1, target: `/${name}`}, async () => ({status: 200, body}));
  for (let i = 0; i < 15; i++) await ask(`list ${i}`);
  t.is(kept.ready('/list 0')?.body, body);
  await ask('list 15');
  t.is(kept.ready('/list 0')?.body, body);
  t.is(kept.ready('/list 1'), undefined);
});
