import test from 'ava';
import type {HttpRequest, QueryLimits} from '../../../../core/api/plugin.js';
import {KnownQueries} from '../../../../plugins/traceql/http/known-queries.js';
import {SERVICE_ALONE} from '../../../../plugins/traceql/language/subset.js';

const LIMITS = {queryLength: 65_536, querySelectors: 100} as unknown as QueryLimits;

/** A request that counts how often it has asked for a slot of heavy work. */
function requestOf() {
  const asked: string[] = [];
  const heavySlot = async () => void asked.push('slot');
  const request = {heavySlot, signal: new AbortController().signal} as unknown as HttpRequest;
  return {request, asked};
}

test('a query is parsed once, and one that is refused is refused each time', async t => {
  const queries = new KnownQueries(LIMITS, SERVICE_ALONE);
  const {request, asked} = requestOf();
  const first = await queries.get('{duration>5ms}', request);
  t.is(first.printed, '{duration>5ms}');
  t.is(await queries.get('{duration>5ms}', request), first);
  t.not(await queries.get('{duration>6ms}', request), first);
  for (let i = 0; i < 2; i++) await t.throwsAsync(queries.get('{duration>', request));
  t.deepEqual(asked, []);
});

test('a long query waits for a slot each time, and is not kept', async t => {
  const queries = new KnownQueries(LIMITS, SERVICE_ALONE);
  const {request, asked} = requestOf();
  const text = `{span.key="${'x'.repeat(2048)}"}`;
  const first = await queries.get(text, request);
  const second = await queries.get(text, request);
  t.not(second, first);
  t.deepEqual(second, first);
  t.is(asked.length, 2);
});
