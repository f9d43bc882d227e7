import test from 'ava';
import {unlessAborted} from '../../../core/toolkit/unless-aborted.js';

const reason = new Error('nobody waits any more');

test('the outcome of the work is passed on when it comes first', async t => {
  const {signal} = new AbortController();
  t.is(await unlessAborted(Promise.resolve(1), signal), 1);
  const failure = new Error('it failed');
  t.is(await t.throwsAsync(unlessAborted(Promise.reject(failure), signal)), failure);
});

test('an abort is told at once, and nobody is told what the work comes to later', async t => {
  const caller = new AbortController();
  let told = 0;
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const waiting = unlessAborted(work, caller.signal, () => told++);
  caller.abort(reason);
  t.is(told, 1);
  fail(new Error('it failed later'));
  t.is(await t.throwsAsync(waiting), reason);
});

test('nothing is waited for when the signal has aborted before', async t => {
  let told = 0;
  const never = new Promise<never>(() => undefined);
  t.is(await t.throwsAsync(unlessAborted(never, AbortSignal.abort(reason), () => told++)), reason);
  const failing = Promise.reject(new Error('it failed too'));
  t.is(await t.throwsAsync(unlessAborted(failing, AbortSignal.abort(reason), () => told++)), reason);
  t.is(told, 2);
});

test('an abort after the outcome is told to nobody', async t => {
  const caller = new AbortController();
  let told = 0;
  await unlessAborted(Promise.resolve(1), caller.signal, () => told++);
  caller.abort(reason);
  t.is(told, 0);
});
