import test from 'ava';
import {LogOnce} from '../../../core/toolkit/log-once.js';

test('a thing is said when it begins, when its state changes, and anew after its end', t => {
  const once = new LogOnce();
  t.true(once.begins('disk', 'full'));
  t.false(once.begins('disk', 'full'));
  t.true(once.begins('disk', 'gone'));
  t.true(once.begins('network'));
  t.false(once.begins('disk', 'gone'));
  t.is(once.ends('disk'), 2);
  t.is(once.ends('disk'), 0);
  t.is(once.ends('never'), 0);
  t.true(once.begins('disk', 'gone'));
});

test('what is not found any more is over', t => {
  const once = new LogOnce();
  for (const key of ['a', 'b', 'c']) once.begins(key);
  once.endsAllBut(new Map([['b', 1]]).keys());
  t.deepEqual(
    ['a', 'b', 'c'].map(key => once.begins(key)),
    [true, false, true],
  );
});

test('of very many things the oldest is forgotten, which is the one that changed longest ago', t => {
  const once = new LogOnce();
  for (let i = 0; i < 10_000; i++) once.begins(String(i));
  once.begins('0', 'changed');
  once.begins('another');
  t.true(once.begins('1'), 'forgotten');
  t.false(once.begins('0', 'changed'), 'remembered');
});
