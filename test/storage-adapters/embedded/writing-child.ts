import {stdout} from 'node:process';
import {metric} from '../support/batches.js';
import {Harness} from './harness.js';

/**
 * The process that the durability tests kill: writes one minute after the other for a hundred services and says on
 * standard output which are acknowledged, or folds what is there.
 *
 * Arguments: folder, `write` or `fold`, the first minute.
 */
const [, , path = '', mode = '', first = '0'] = process.argv;
const FAR = 4_000_000_000_000;

const harness = await Harness.open({path}, {clock: () => (mode === 'fold' ? FAR : 0)});
if (mode === 'fold') {
  stdout.write('folding\n');
  await harness.storage.settle();
  stdout.write('folded\n');
} else {
  await harness.write({metrics: [metric('load')]});
  for (let minute = Number(first); ; minute++) {
    const samples = Array.from({length: 100}, (_, i) => ({
      metric: 'load',
      entity: {layer: 'L', service: `s${i}`},
      time: minute * 60,
      value: minute * 100 + i,
    }));
    await harness.write({samples});
    stdout.write(`${minute}\n`);
  }
}
await harness.storage.stop();
