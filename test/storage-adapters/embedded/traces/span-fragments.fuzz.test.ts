import test from 'ava';
import fc from 'fast-check';
import type {OtlpSpan} from '../../../../core/api/adapter.js';
import {encodeOtlpSpan} from '../../../../core/toolkit/otlp/encode.js';
import {OtlpSpanDecoder} from '../../../../core/toolkit/otlp/span-decoder.js';
import {otlpModel} from '../../../../core/toolkit/traces/otlp-model.js';
import type {SpanPart} from '../../../../storage-adapters/embedded/threads/writer-protocol.js';
import {contentOf} from '../../../../storage-adapters/embedded/traces/blocks/block-builder.js';
import type {IncomingFragment} from '../../../../storage-adapters/embedded/traces/fragments/incoming.js';
import {SpanFragments} from '../../../../storage-adapters/embedded/traces/fragments/span-fragments.js';
import {EmbeddedOtlpWriter} from '../../../../storage-adapters/embedded/traces/otlp-writer.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {anyOtlpSpan} from '../../../support/otlp-arbitrary.js';
import {call} from '../../support/calls.js';

/** Some of the attributes and resources come again, as those of a process do, and some keys of a span come twice. */
const spans: fc.Arbitrary<readonly OtlpSpan[]> = fc
  .array(fc.tuple(anyOtlpSpan, fc.nat(3), fc.boolean()), {minLength: 1, maxLength: 6})
  .map(picked => {
    const all = picked.map(([span]) => span);
    return picked.map(([span, of, isTwice]) => {
      const other = all[of % all.length] as OtlpSpan;
      const attributes = isTwice ? [...span.attributes, ...other.attributes, ...span.attributes] : other.attributes;
      return {...span, attributes, resource: other.resource};
    });
  });

test('what is stored and indexed of spans of OTLP in their encoded form is what they say', async t => {
  const incoming = new SpanFragments();
  const decoder = new OtlpSpanDecoder();
  const property = fc.asyncProperty(spans, async some => {
    const found: IncomingFragment[] = [];
    const stored: OtlpSpan[] = [];
    for (const part of await partsOf(some)) {
      for (const fragment of incoming.read(part)) {
        found.push(fragment);
        stored.push(decoder.decode(fragment.body as Uint8Array));
      }
    }
    t.deepEqual(stored, some);
    t.deepEqual(found.map(termsIn), some.map(termsOf));
    t.deepEqual(postingsIn(found), postingsOf(some));
  });
  await fc.assert(property, {numRuns: FUZZ_RUNS});
});

/** What goes to the writing thread. */
async function partsOf(some: readonly OtlpSpan[]): Promise<readonly SpanPart[]> {
  let sent: readonly SpanPart[] = [];
  const writer = new EmbeddedOtlpWriter({
    prepare: async (model, parts) => {
      sent = parts as readonly SpanPart[];
      return {number: 1, model, before: 0, last: parts[0] as SpanPart};
    },
    store: async () => undefined,
  });
  await writer.write(some, call);
  return sent;
}

type Terms = readonly string[];

function termsIn({traceId, identity, count, spans}: IncomingFragment): object {
  const of = spans.map(({start, end, duration, terms, keys, resource}) => {
    const texts = [...terms, ...keys.terms, ...resource.terms].map(({attribute, value}) => `${attribute} ${value}`);
    return {start, end, duration, terms: texts.sort()};
  });
  return {traceId, identity, count, of};
}

function termsOf(span: OtlpSpan): object {
  const all = otlpModel.spans(new OtlpSpanDecoder().decode(encodeOtlpSpan(span)));
  const of = all
    .filter(({start}) => start !== undefined)
    .map(({start, end, duration, service, name, kind, status, tags, resourceTags = new Map()}) => {
      const terms = [`n ${name}`, `k ${kind}`, `e ${status}`];
      if (service !== undefined) terms.push(`s ${service}`);
      for (const [key, value] of tags) terms.push(`t ${key}`, `.${key} ${value}`);
      for (const [key, value] of resourceTags) terms.push(`r ${key}`, `@${key} ${value}`);
      return {start, end, duration, terms: terms.sort()};
    });
  return {traceId: span.traceId, identity: otlpModel.identity(span), count: 1, of};
}

/** Ordinals by term. */
function postingsIn(fragments: readonly IncomingFragment[]): ReadonlyMap<string, Terms> {
  const {postings} = contentOf(fragments.map(({spans}, row) => ({row, trace: 1, spans})));
  const found = [...postings].flatMap(([attribute, values]) =>
    values.map(({value, ordinals}) => [`${attribute} ${value}`, Array.from(ordinals, String)] as const),
  );
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function postingsOf(some: readonly OtlpSpan[]): ReadonlyMap<string, Terms> {
  const lists = new Map<string, string[]>();
  const placed = some.flatMap(span => (termsOf(span) as {of: {start: number; terms: Terms}[]}).of);
  placed
    .sort((a, b) => a.start - b.start)
    .forEach(({terms}, ordinal) => {
      for (const term of new Set(terms)) lists.set(term, [...(lists.get(term) ?? []), String(ordinal)]);
    });
  return new Map([...lists].sort(([a], [b]) => (a < b ? -1 : 1)));
}
