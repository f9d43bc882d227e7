import test from 'ava';
import type {StreamMetricsResponse} from '../../../plugins/diagnostics/proto/contract.js';
import {toMilliseconds, toTimestamp} from '../../../plugins/diagnostics/proto/timestamp.js';
import {get} from '../../support/http.js';
import {connectAgent, gauge} from './support/fake-agent.js';
import {openProxy, type RunningProxy} from './support/proxy.js';

interface Series {
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly agent_id: string;
  readonly pod_name: string;
  readonly data: readonly {readonly timestamp: string; readonly value: number | null}[];
}

const BASE = Date.parse('2026-01-01T00:00:00Z');

/** An agent with a sample every ten seconds, which answers windows as agents do: both ends belong to it. */
async function openWithSamples(
  t: Parameters<typeof openProxy>[0],
): Promise<RunningProxy & {readonly commands: StreamMetricsResponse[]}> {
  const proxy = await openProxy(t);
  const commands: StreamMetricsResponse[] = [];
  for (const pod of ['b', 'a']) {
    const role = pod === 'a' ? 'ROLE_META' : 'ROLE_DATA';
    await connectAgent(t, proxy.grpc, {
      pod,
      labels: {type: 'hot'},
      metrics: command => {
        commands.push(command);
        const {start_time: start, end_time: end} = command;
        if (start === null && end === null) return [gauge(pod, 'm', 7, {node_role: role})];
        const from = start === null ? 0 : toMilliseconds(start);
        const to = end === null ? Number.POSITIVE_INFINITY : toMilliseconds(end);
        return [30, 10, 20, 0].flatMap(seconds => {
          const at = BASE + seconds * 1000;
          const timestamp = toTimestamp(at);
          return at < from || at > to ? [] : [{...gauge(pod, 'm', seconds, {node_role: role}), timestamp}];
        });
      },
    });
  }
  return Object.assign(proxy, {commands});
}

/** The seconds after the base of the samples of pod a. */
const secondsOf = (all: readonly Series[]): readonly number[] =>
  all
    .filter(({pod_name}) => pod_name === 'a')
    .flatMap(({data}) => data.map(({timestamp}) => (Date.parse(timestamp) - BASE) / 1000));

const at = (seconds: number, zone = 'Z'): string => new Date(BASE + seconds * 1000).toISOString().slice(0, 19) + zone;

test('a series of a window has its samples in order of time, with all that is known of it', async t => {
  const proxy = await openWithSamples(t);
  const answer = await get(`${proxy.url}/metrics-windows`, {start_time: at(0), end_time: at(20)});
  t.is(answer.headers['content-type'], 'application/json');
  const [first, second, ...others] = answer.json<readonly Series[]>();
  t.deepEqual(others, []);
  t.is(second?.pod_name, 'b');
  t.deepEqual(first, {
    name: 'm',
    description: 'The m.',
    labels: {node_role: 'ROLE_META', node_type: 'hot', pod_name: 'a'},
    agent_id: first?.agent_id ?? '',
    pod_name: 'a',
    data: [
      {timestamp: '2026-01-01T00:00:00Z', value: 0},
      {timestamp: '2026-01-01T00:00:10Z', value: 10},
      {timestamp: '2026-01-01T00:00:20Z', value: 20},
    ],
  });
});

const WINDOWS: readonly (readonly [title: string, start: string, end: string, ...seconds: number[]])[] = [
  ['both ends belong to the window', at(10), at(20), 10, 20],
  ['a window may be one instant', at(10), at(10), 10],
  ['the start alone leaves the end open', at(20), '', 20, 30],
  ['the end alone leaves the start open', '', at(10), 0, 10],
  ['a fraction of a second counts', '2026-01-01T00:00:10.000000001Z', at(20), 20],
  ['an offset counts', '2026-01-01T08:00:10+08:00', '2025-12-31T23:30:20-00:30', 10, 20],
  ['a window in the future is empty', '2999-01-01T00:00:00Z', ''],
];

for (const [title, start, end, ...seconds] of WINDOWS) {
  test(title, async t => {
    const proxy = await openWithSamples(t);
    const answer = await get(`${proxy.url}/metrics-windows`, {start_time: start, end_time: end});
    t.is(answer.status, 200);
    t.deepEqual(secondsOf(answer.json<readonly Series[]>()), seconds);
  });
}

test('without a window the latest values come, each with the time of the answer', async t => {
  const proxy = await openWithSamples(t);
  const before = Date.now();
  const all = (await get(`${proxy.url}/metrics-windows`)).json<readonly Series[]>();
  t.deepEqual(
    all.map(({data}) => data.map(({value}) => value)),
    [[7], [7]],
  );
  const time = Date.parse(all[0]?.data[0]?.timestamp ?? '');
  t.true(time >= before && time <= Date.now());
  t.deepEqual(
    proxy.commands.map(({start_time, end_time}) => [start_time, end_time]),
    [
      [null, null],
      [null, null],
    ],
  );
});

test('the filters compare labels', async t => {
  const proxy = await openWithSamples(t);
  const pods = async (query: string) =>
    (await get(`${proxy.url}/metrics-windows?${query}`)).json<readonly Series[]>().map(({pod_name}) => pod_name);
  t.deepEqual(await pods('role=ROLE_META'), ['a']);
  t.deepEqual(await pods('pod_name=b'), ['b']);
  t.deepEqual(await pods('pod_name=b&pod_name=a'), ['a', 'b']);
  t.deepEqual(await pods('pod_name=b&role=ROLE_META'), []);
});

test('what is no JSON number is null', async t => {
  const proxy = await openProxy(t);
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21];
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => values.map((value, n) => gauge('a', `m${n}`, value))});
  const all = (await get(`${proxy.url}/metrics-windows`)).json<readonly Series[]>();
  t.deepEqual(
    all.map(({data}) => data[0]?.value),
    [null, null, null, 1e21],
  );
});

const BAD = [
  'x',
  '2026-01-01',
  '1767225600',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01t00:00:00Z',
  '2026-01-01T00:00:00z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00Z',
  '2026-01-01T0:00:00Z',
  '2026-01-01T00:00:00+0800',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00,5Z',
  '2026-01-01T00:00:00Z ',
];

for (const name of ['start_time', 'end_time']) {
  test(`${name} takes nothing but RFC 3339`, async t => {
    const proxy = await openProxy(t);
    for (const text of BAD) {
      const answer = await get(`${proxy.url}/metrics-windows`, {[name]: text});
      t.is(answer.status, 400, text);
      t.regex(
        answer.json<{error: string}>().error,
        new RegExp(`^the parameter "${name}": found ${JSON.stringify(text).replace(/[+.]/g, '\\$&')}, expected`),
      );
    }
  });
}

test('a time that is repeated must be one each time', async t => {
  const proxy = await openProxy(t);
  const answer = await get(`${proxy.url}/metrics-windows?start_time=2026-01-01T00:00:00Z&start_time=soon`);
  t.is(answer.status, 400);
  t.regex(answer.json<{error: string}>().error, /^the parameter "start_time": found "soon", expected/);
});

test('a plus sign that the URL has lost is pointed out', async t => {
  const proxy = await openProxy(t);
  const answer = await get(`${proxy.url}/metrics-windows?start_time=2026-01-01T00:00:00+08:00`);
  t.regex(answer.json<{error: string}>().error, /a plus sign in a URL is written %2B$/);
});

test('an end before the start is refused', async t => {
  const proxy = await openProxy(t);
  const answer = await get(`${proxy.url}/metrics-windows`, {start_time: at(10), end_time: at(9)});
  t.is(answer.status, 400);
  t.deepEqual(answer.json(), {
    error: `the parameter "end_time": found "${at(9)}", which lies before "start_time" "${at(10)}"`,
  });
});
