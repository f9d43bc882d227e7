import test from 'ava';
import {channelMethods} from '../../../../plugins/diagnostics/proto/contract.js';
import {KeptOutlines} from '../../../../plugins/diagnostics-proxy/families/kept-outlines.js';
import {SharedLayouts} from '../../../../plugins/diagnostics-proxy/families/source-layout.js';
import {RegisteredAgent} from '../../../../plugins/diagnostics-proxy/registry/registered-agent.js';
import {countTurns} from '../../../support/turns.js';

test('a thousand answers that come at once, each read in a moment, leave turns to others', async t => {
  const metrics = Array.from({length: 400}, (_, i) => ({
    name: 'm',
    value: i,
    labels: {path: `/${i}`},
    description: 'What it says.',
    type: 'METRIC_TYPE_GAUGE' as const,
  }));
  const answer = {bytes: channelMethods.StreamMetrics.requestSerialize({metrics}), received: Date.now()};
  const agent = new RegisteredAgent('1', {
    node_role: 'ROLE_DATA',
    pod_name: 'a',
    container_names: ['c'],
    labels: {type: 'hot'},
  });
  const outlines = new KeptOutlines(new SharedLayouts());
  const read = () => outlines.read(agent, answer, () => undefined);
  const first = await read();
  const {result, turns} = await countTurns(Promise.all(Array.from({length: 1000}, read)));
  t.true(
    result.every(({lines}) => lines === first.lines),
    'only values were read',
  );
  t.deepEqual(result.at(-1)?.values, first.values);
  t.true(turns > 3, `${turns} turns`);
});
