import test from 'ava';
import {NameList} from '../../../../storage-adapters/embedded/metrics/name-list.js';

test('names are listed in their order, however many came since and whenever the list was asked for', t => {
  const list = new NameList<{readonly name: string}>();
  const names: string[] = [];
  for (let i = 0; i < 10_000; i++) {
    // 7919 and 10,000 have no common factor: every number once, in no order.
    const name = `n${String((i * 7919) % 10_000).padStart(5, '0')}`;
    names.push(name);
    list.add({name});
    list.add({name});
    if (i % 3_000 === 1_700) {
      t.deepEqual(
        list.sorted().map(item => item.name),
        [...names].sort(),
      );
    }
  }
  const sorted = list.sorted();
  t.deepEqual(
    sorted.map(({name}) => name),
    [...names].sort(),
  );
  t.is(list.sorted(), sorted);
});
