import test from 'ava';
import fc from 'fast-check';
import type {OtlpSpan} from '../../../core/api/adapter.js';
import type {Pieces} from '../../../plugins/traceql/otlp/form.js';
import {OtlpSource} from '../../../plugins/traceql-otlp/source.js';
import {createOracle} from '../../../storage-adapters/conformance/oracle/oracle.js';
import {call} from '../../storage-adapters/support/calls.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {anyOtlpTrace} from '../../support/otlp-arbitrary.js';
import {readOtlpJson, readOtlpProtobuf} from '../../support/otlp-messages.js';

const byStart = (a: OtlpSpan, b: OtlpSpan): number =>
  a.startTime === b.startTime ? (a.spanId < b.spanId ? -1 : 1) : a.startTime < b.startTime ? -1 : 1;

/** Told apart by all that is in it, also by what comparing by content does not see. */
const keyOf = (value: object): string =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint') return {int: String(part)};
    if (typeof part === 'number') return {number: Object.is(part, -0) ? '-0' : String(part)};
    return part;
  });

async function joined(answer: Promise<Pieces | undefined>): Promise<Buffer> {
  const pieces = await answer;
  if (pieces === undefined) throw new Error('the trace is gone');
  const all: Uint8Array[] = [];
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) all.push(next.value);
  return Buffer.concat(all);
}

test('any trace comes back as it was sent, in JSON and protobuf, in one group a resource and one list a scope', async t => {
  const property = fc.asyncProperty(anyOtlpTrace, async spans => {
    const storage = createOracle();
    await storage['ingest.otlp.v1'].write(spans, call);
    const source = new OtlpSource(storage['traces.otlp.v1']);
    const id = spans[0]?.traceId ?? '';
    const sorted = [...spans].sort(byStart);
    const resources = new Set(spans.map(({resource}) => keyOf(resource)));
    for (const version of ['v1', 'v2'] as const) {
      const json = await joined(source.answer(id, {version, isProtobuf: false}, call));
      const bytes = await joined(source.answer(id, {version, isProtobuf: true}, call));
      for (const groups of [readOtlpJson(json.toString()), readOtlpProtobuf(bytes, version)]) {
        t.deepEqual(groups.flatMap(group => group.spans).sort(byStart), sorted);
        t.is(groups.length, resources.size);
        for (const group of groups) {
          t.is(new Set(group.spans.map(({resource}) => keyOf(resource))).size, 1);
          t.is(new Set(group.spans.map(({scope}) => keyOf(scope))).size, group.scopes);
        }
      }
    }
  });
  await fc.assert(property, {numRuns: Math.ceil(FUZZ_RUNS / 4)});
});
