import {membersOf, momentOf, type TrafficEntry} from './recorded-request.js';

const INSTANT = '/api/v1/query';

/**
 * A line of the query log of Prometheus: `{"params":{"query","start","end","step"},"httpRequest":{"method","path"},"ts"}`. What
 * a rule has asked has `ruleGroup` in place of `httpRequest`, and so has the form of an instant query: a step of 0.
 */
export function queryLogLine(line: unknown): TrafficEntry | undefined {
  const {params: asked, httpRequest, ts, time: logged} = membersOf(line);
  const {query, start, end, step} = membersOf(asked);
  if (asked === undefined) return undefined;
  const time = momentOf(ts ?? logged);
  if (time === undefined) return {bad: 'key "ts": expected a time in RFC 3339'};
  if (typeof query !== 'string') return {bad: 'key "params.query": expected a text'};
  const [from, to] = [secondsOf(start), secondsOf(end)];
  if (from === undefined || to === undefined)
    return {bad: 'key "params": expected "start" and "end" as times in RFC 3339'};
  const {path = INSTANT} = membersOf(httpRequest);
  const times = typeof step === 'number' && step > 0 ? {start: from, end: to, step: String(step)} : {time: to};
  return {time, method: 'GET', path: String(path), parameters: new URLSearchParams({query, ...times}).toString()};
}

function secondsOf(value: unknown): string | undefined {
  const moment = momentOf(value);
  return moment === undefined ? undefined : String(moment / 1000);
}
