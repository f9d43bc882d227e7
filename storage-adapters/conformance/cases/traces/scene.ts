import {DAY, ownDays} from '../../data/times.js';
import type {CommonSpan} from '../../data/trace-formats.js';

const START = ownDays(14) * 1000;

/** Milliseconds after the start of the scene, as microseconds since the epoch. */
export const at = (milliseconds: number): number => (START + milliseconds) * 1000;

/** All of the scene. */
export const ALL = {from: at(-DAY * 1000), to: at(30 * DAY * 1000)};

const base: CommonSpan = {
  trace: 0,
  span: 1,
  start: 0,
  duration: 5,
  service: 'app',
  name: 'get /',
  kind: 'SERVER',
  error: false,
  tags: {},
};

/** Numbers of traces, apart from those of other groups. */
const trace = (number: number): number => 0x5ce4e000 + number;

function span(number: number, index: number, start: number, more: Partial<CommonSpan> = {}): CommonSpan {
  return {...base, ...more, trace: trace(number), span: index, start: START + start};
}

/**
 * Traces that both kinds can hold. 1: a call through three services. 2: an error. 3 and 4 begin together. 5: one span an
 * hour after the other. 6: the tags and the service that a filter wants, on two spans. 7: names that look like syntax.
 */
export const SPANS: readonly CommonSpan[] = [
  span(1, 1, 1000, {duration: 50, tags: {'http.method': 'GET', env: 'prod'}}),
  span(1, 2, 1010, {duration: 30, kind: 'CLIENT', name: 'call songs', tags: {env: 'prod'}}),
  span(1, 3, 1015, {duration: 20, service: 'songs', name: 'get /songs', tags: {'http.method': 'GET', env: 'test'}}),

  span(2, 1, 2000, {duration: 7, error: true, tags: {'http.method': 'POST'}}),
  span(2, 2, 2001, {duration: 0, kind: 'INTERNAL', name: 'compute', service: 'db'}),

  span(4, 1, 3000, {name: 'tie', tags: {tie: 'b'}}),
  span(3, 1, 3000, {name: 'tie', tags: {tie: 'a'}}),

  span(5, 1, 10_000, {duration: 5, name: 'first', tags: {part: 'first'}}),
  span(5, 2, 3_610_000, {duration: 10, name: 'second', tags: {part: 'second'}}),

  span(6, 1, 20_000, {service: 'split', tags: {color: 'red'}}),
  span(6, 2, 20_001, {service: 'other', tags: {color: 'blue'}}),

  span(7, 1, 30_000, {
    service: "it's",
    name: 'a % b_c',
    kind: 'UNSPECIFIED',
    tags: {'k"\\': "'; DROP TABLE spans; --", name: 'tagged'},
  }),
  span(7, 2, 30_001, {
    service: '中文\u{1F600}',
    name: '',
    kind: 'UNSPECIFIED',
    tags: {'\u{1F600}': '\uFF5E', '': '', empty: ''},
  }),
];

export {trace as traceNumber};
