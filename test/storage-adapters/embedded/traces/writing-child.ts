import {stdout} from 'node:process';
import {call} from '../../support/calls.js';
import {Harness} from '../harness.js';
import {spansOf} from './support.js';

/**
 * The process that a durability test kills: writes one trace of three spans after the other and says on standard output
 * which are acknowledged. What is written is packed all the time.
 *
 * Arguments: folder, the first trace.
 */
const [, , path = '', first = '0'] = process.argv;
const harness = await Harness.open({path}, {packFrom: 1});
for (let trace = Number(first); ; trace++) {
  await harness.spans.write(spansOf(1, 3, trace), call);
  stdout.write(`${trace}\n`);
  if (trace % 10 === 0) void harness.storage.settle();
}
