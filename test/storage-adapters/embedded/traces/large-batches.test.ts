import {Worker} from 'node:worker_threads';
import test from 'ava';
import type {GatewayError} from '../../../../core/api/adapter.js';
import type {CallMessage} from '../../../../storage-adapters/embedded/threads/messages.js';
import type {TraceBatch, TracePart} from '../../../../storage-adapters/embedded/threads/writer-protocol.js';
import {otlpSpan} from '../../../core/api/otlp-spans.js';
import {collected} from '../../support/answers.js';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {EVER, searched, spansOf} from './support.js';

const SPANS = 6000;
/** Of one message, with what is encoded between two looks. */
const MOST = 2048 + 64;

/** What goes to the writing thread of traces, and whether parts arrive there. */
const sent: {readonly operation: string; readonly fragments: number}[] = [];
let arePartsLost = false;
const {postMessage} = Worker.prototype;
Worker.prototype.postMessage = function (message: CallMessage, ...rest) {
  const {operation, request} = message;
  if (operation === 'prepareTraces') note(operation, (request as {part: TracePart}).part);
  if (operation === 'writeTraces') note(operation, (request as TraceBatch).last);
  if (operation !== 'prepareTraces' || !arePartsLost) postMessage.call(this, message, ...rest);
};

function note(operation: string, part: TracePart): void {
  sent.push({operation, fragments: 'spans' in part ? part.spans.length / 3 : part.traceIds.length});
}

test.beforeEach(() => {
  sent.length = 0;
});

test.serial('a large batch goes to the writing thread in parts, before a small one that comes after it', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const large = harness.spans.write(spansOf(SPANS, 1), call);
  const small = harness.spans.write(spansOf(1, 1, SPANS), call);
  await Promise.all([large, small]);
  const operations = sent.map(({operation}) => operation);
  t.is(operations.lastIndexOf('writeTraces'), operations.length - 1);
  t.is(operations.indexOf('writeTraces'), operations.length - 2);
  t.true(operations.length > SPANS / MOST);
  t.true(sent.every(({fragments}) => fragments <= MOST));
  t.is(sent.at(-1)?.fragments, 1);
  t.is((await searched(harness.compat)).length, SPANS + 1);
});

test.serial('spans of OTLP of a large batch keep their places', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const spans = Array.from({length: SPANS}, (_, i) => {
    const id = (i + 1).toString(16);
    const startTime = 1_700_000_000_000_000_000n;
    return otlpSpan({traceId: id.padStart(32, '0'), spanId: id.padStart(16, '0'), name: `span ${i}`, startTime});
  });
  await harness.readers['ingest.otlp.v1']?.write(spans, call);
  t.true(sent.length > 1);
  const reader = harness.readers['traces.otlp.v1'];
  const found = reader === undefined ? [] : await collected(reader.search({filter: [], ...EVER}, call));
  const names = found.flatMap(trace => trace.spans.map(({name, spanId}) => `${name} ${spanId}`));
  const expected = spans.map(({name, spanId}) => `${name} ${spanId}`);
  t.deepEqual(names.toSorted(), expected.toSorted());
});

test.serial('nothing is stored of a batch whose parts were lost', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  arePartsLost = true;
  const error = (await t.throwsAsync(harness.spans.write(spansOf(SPANS, 1), call))) as GatewayError;
  arePartsLost = false;
  t.is(error.code, 'storage_failed');
  t.regex(error.message, /a part of the batch was lost/);
  t.is((await searched(harness.compat)).length, 0);
  await harness.spans.write(spansOf(1, 1), call);
  t.is((await searched(harness.compat)).length, 1);
});
