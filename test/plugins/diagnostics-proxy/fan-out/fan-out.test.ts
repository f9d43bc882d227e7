import test from 'ava';
import {Collections, type Gathered} from '../../../../plugins/diagnostics-proxy/fan-out/fan-out.js';
import {CommandStream} from '../../../../plugins/diagnostics-proxy/registry/command-stream.js';
import {Agent} from '../../../../plugins/diagnostics-proxy/registry/registered-agent.js';
import {sortInTurns} from '../../../../plugins/diagnostics-proxy/yielding/sort-yielding.js';
import {Slices, TimeIsUp, type Turns} from '../../../../plugins/diagnostics-proxy/yielding/yielder.js';

const agentOf = (pod: string): Agent =>
  new Agent(pod, {pod_name: pod, node_role: 'ROLE_DATA', container_names: [], labels: {}});

/** Collections from agents of which those that `isSilent` tells leave every command unanswered. */
function open(isSilent: (agent: Agent) => boolean, read: (agent: Agent, turns: Turns) => Promise<string | undefined>) {
  const rounds: Gathered<string>[] = [];
  const asked: string[] = [];
  const streams = new Map<Agent, CommandStream<object>>();
  const streamOf = (agent: Agent): CommandStream<object> => {
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
  const collections = new Collections<object, string>(
    {
      streamOf,
      read: (agent, _answer, _command, turns) => read(agent, turns),
      gathered: round => rounds.push(round),
    },
    new Slices(),
  );
  return {collections, rounds, asked};
}

test('agents that are silent keep none of the others from being asked', async t => {
  const agents = Array.from({length: 200}, (_, n) => agentOf(`pod-${n}`));
  const isSilent = ({podName}: Agent) => podName !== 'pod-199';
  const {collections, asked} = open(isSilent, async ({podName}) => podName);
  const {value} = await collections.ask({}, agents, 4000);
  t.deepEqual([...value.values()], ['pod-199']);
  t.is(asked.length, 200);
});

test('reading ends when the time is up, and what was read before stays', async t => {
  const agents = ['a', 'b', 'c'].map(agentOf);
  const {collections} = open(
    () => false,
    async ({podName}, turns) => {
      if (podName === 'a') return podName;
      try {
        for (;;) await turns.turn();
      } catch (error) {
        t.true(error instanceof TimeIsUp);
        return undefined;
      }
    },
  );
  const {value} = await collections.ask({}, agents, 2000);
  t.deepEqual([...value.values()], ['a']);
});

test('equal rounds that overlap are one, which is told of once', async t => {
  const {collections, rounds, asked} = open(
    () => false,
    async ({podName}) => podName,
  );
  const agents = [agentOf('a')];
  const [one, other] = await Promise.all([collections.ask({}, agents, 9000), collections.ask({}, agents, 9000)]);
  t.is(one, other);
  t.deepEqual(asked, ['a']);
  t.deepEqual(rounds, [one]);
});

test('a sort in turns gives what a sort at once gives, and keeps the order of equal ones', async t => {
  for (const length of [0, 1, 2047, 2048, 2049, 9000]) {
    const items = Array.from({length}, (_, index) => ({key: (index * 7919) % 1009, index}));
    const compare = (a: {key: number}, b: {key: number}) => a.key - b.key;
    t.deepEqual(await sortInTurns(items, compare, new Slices()), items.toSorted(compare));
  }
});
