import test from 'ava';
import {type Cancellable, complete, pause} from '../../../../core/toolkit/yielder.js';
import {FanOut, type FanOutRound, ReadingTimeout} from '../../../../plugins/diagnostics-proxy/fan-out/fan-out.js';
import {CommandStream} from '../../../../plugins/diagnostics-proxy/registry/command-stream.js';
import {RegisteredAgent} from '../../../../plugins/diagnostics-proxy/registry/registered-agent.js';
import {sortInSteps} from '../../../../plugins/diagnostics-proxy/series/sort-in-steps.js';

const agentOf = (pod: string): RegisteredAgent =>
  new RegisteredAgent(pod, {pod_name: pod, node_role: 'ROLE_DATA', container_names: [], labels: {}});

/** FanOut from agents of which those that `isSilent` tells leave every command unanswered. */
function open(
  isSilent: (agent: RegisteredAgent) => boolean,
  read: (agent: RegisteredAgent, call: Cancellable) => Promise<string | undefined>,
) {
  const rounds: FanOutRound<string>[] = [];
  const asked: string[] = [];
  const streams = new Map<RegisteredAgent, CommandStream<object>>();
  const streamOf = (agent: RegisteredAgent): CommandStream<object> => {
    const known = streams.get(agent);
    if (known !== undefined) return known;
    const stream = new CommandStream<object>({late: 'drop'});
    const sink = {
      write: () => {
        asked.push(agent.podName);
        if (!isSilent(agent)) setImmediate(() => stream.receive(sink, Buffer.from(agent.podName)));
      },
      replaced: () => undefined,
    };
    stream.open(sink);
    streams.set(agent, stream);
    return stream;
  };
  const fanOut = new FanOut<object, string>({
    streamOf,
    read: (agent, _answer, _command, call) => read(agent, call),
    completed: round => rounds.push(round),
  });
  return {fanOut, rounds, asked};
}

test('agents that are silent keep none of the others from being asked', async t => {
  const agents = Array.from({length: 200}, (_, n) => agentOf(`pod-${n}`));
  const isSilent = ({podName}: RegisteredAgent) => podName !== 'pod-199';
  const {fanOut, asked} = open(isSilent, async ({podName}) => podName);
  const {answers} = await fanOut.request({}, agents, 4000);
  t.deepEqual([...answers.values()], ['pod-199']);
  t.is(asked.length, 200);
});

test('reading ends when the time is up, and what was read before stays', async t => {
  const agents = ['a', 'b', 'c'].map(agentOf);
  const {fanOut} = open(
    () => false,
    async ({podName}, call) => {
      if (podName === 'a') return podName;
      try {
        for (;;) await pause(call);
      } catch (error) {
        t.true(error instanceof ReadingTimeout);
        return undefined;
      }
    },
  );
  const {answers} = await fanOut.request({}, agents, 2000);
  t.deepEqual([...answers.values()], ['a']);
});

test('equal rounds that overlap are one, which is told of once', async t => {
  const {fanOut, rounds, asked} = open(
    () => false,
    async ({podName}) => podName,
  );
  const agents = [agentOf('a')];
  const [one, other] = await Promise.all([fanOut.request({}, agents, 9000), fanOut.request({}, agents, 9000)]);
  t.is(one, other);
  t.deepEqual(asked, ['a']);
  t.deepEqual(rounds, [one]);
});

test('a sort in steps gives what a sort at once gives, and keeps the order of equal ones', t => {
  for (const length of [0, 1, 2047, 2048, 2049, 9000]) {
    const items = Array.from({length}, (_, index) => ({key: (index * 7919) % 1009, index}));
    const compare = (a: {key: number}, b: {key: number}) => a.key - b.key;
    t.deepEqual(complete(sortInSteps(items, compare)), items.toSorted(compare));
  }
});
