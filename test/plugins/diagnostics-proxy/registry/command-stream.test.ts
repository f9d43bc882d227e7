import test from 'ava';
import {channelMethods} from '../../../../plugins/diagnostics/proto/contract.js';
import {CommandStream} from '../../../../plugins/diagnostics-proxy/registry/command-stream.js';
import {fitsCommand, type Window} from '../../../../plugins/diagnostics-proxy/wire/metrics-message-reader.js';
import {gauge} from '../support/fake-agent.js';

const WINDOW: Window = {start_time: {seconds: '100', nanos: 0}, end_time: {seconds: '200', nanos: 0}};

/** An answer whose only metric has this time; without one, the latest. */
function answer(value: number, seconds?: number): Buffer {
  const timestamp = seconds === undefined ? null : {seconds: String(seconds), nanos: 0};
  const metric = {...gauge('a', 'm', value), ...(timestamp !== null && {timestamp})};
  return channelMethods.StreamMetrics.requestSerialize({metrics: [metric]});
}

function openStream() {
  const stream = new CommandStream<Window>({late: 'drop', fits: fitsCommand});
  const commands: Window[] = [];
  const sink = {write: (command: Window) => commands.push(command), replaced: () => undefined};
  stream.open(sink);
  const asked = async (count: number): Promise<void> => {
    while (commands.length < count) await new Promise(setImmediate);
  };
  return {stream, commands, asked, receive: (bytes: Buffer) => stream.receive(sink, bytes)};
}

/** A time that no test lives to see: what waits for it would never end. */
const NEVER = (): number => performance.now() + 1e9;
/** A time that passes, and not before a busy machine has sent the command. */
const SOON = (): number => performance.now() + 300;

test('an agent that has left commands unanswered is heard without waiting for the deadline', async t => {
  const {stream, asked, receive} = openStream();
  t.is(await stream.request({}, SOON()), undefined);
  t.is(await stream.request({}, SOON()), undefined);
  const third = stream.request({}, NEVER());
  await asked(3);
  const bytes = answer(3);
  receive(bytes);
  t.is(await third, bytes);
  const fourth = stream.request({}, NEVER());
  await asked(4);
  receive(answer(4));
  t.deepEqual(await fourth, answer(4));
});

test('of a burst of late answers the one to the current command is taken', async t => {
  const {stream, asked, receive} = openStream();
  t.is(await stream.request({}, SOON()), undefined);
  t.is(await stream.request({}, SOON()), undefined);
  const third = stream.request({}, NEVER());
  await asked(3);
  for (const value of [1, 2, 3]) receive(answer(value));
  t.deepEqual(await third, answer(3));
});

test('a late answer that comes while nothing is asked is dropped', async t => {
  const {stream, asked, receive} = openStream();
  t.is(await stream.request({}, SOON()), undefined);
  receive(answer(1));
  const second = stream.request({}, NEVER());
  await asked(2);
  receive(answer(2));
  t.deepEqual(await second, answer(2));
});

const UNFIT: readonly (readonly [title: string, earlier: Window, current: Window, late: Buffer, fresh: Buffer])[] = [
  ['the samples of a window are not taken for the latest values', WINDOW, {}, answer(1, 150), answer(2)],
  ['the latest values are not taken for the samples of a window', {}, WINDOW, answer(1), answer(2, 150)],
  ['the samples of another window are not taken', {...WINDOW}, WINDOW, answer(1, 99), answer(2, 150)],
];

for (const [title, earlier, current, late, fresh] of UNFIT) {
  test(title, async t => {
    const {stream, asked, receive} = openStream();
    t.is(await stream.request(earlier, SOON()), undefined);
    const second = stream.request(current, NEVER());
    await asked(2);
    receive(late);
    receive(fresh);
    t.deepEqual(await second, fresh);
  });
}

test('equal commands that overlap are one, different ones follow one another', async t => {
  const {stream, commands, asked, receive} = openStream();
  const both = [stream.request({}, NEVER()), stream.request({}, NEVER())];
  const other = stream.request(WINDOW, NEVER());
  await asked(1);
  receive(answer(1));
  t.deepEqual(await Promise.all(both), [answer(1), answer(1)]);
  await asked(2);
  receive(answer(2, 150));
  t.deepEqual(await other, answer(2, 150));
  t.deepEqual(commands, [{}, WINDOW]);
});

test('the end of the stream ends the wait', async t => {
  const {stream, asked} = openStream();
  const waiting = stream.request({}, NEVER());
  await asked(1);
  stream.open({write: () => undefined, replaced: () => undefined});
  t.is(await waiting, undefined);
});
