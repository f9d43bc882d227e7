import test from 'ava';
import fc from 'fast-check';
import {Elements} from '../../../plugins/ingest/formats/json/elements.js';
import {parseExact} from '../../../plugins/ingest/formats/json/parse-exact.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {CALL} from './support.js';
import {cut, decodeSegments, decodeSpans, SEGMENT, SPAN} from './traces-support.js';

const numRuns = Math.ceil(FUZZ_RUNS / 5);

interface Split {
  readonly texts: readonly string[];
  readonly unreadable: readonly string[];
}

async function split(pieces: readonly Uint8Array[], single = false): Promise<Split> {
  const texts: string[] = [];
  const unreadable: string[] = [];
  const sink = {element: (text: string) => texts.push(text), unreadable: (reason: string) => unreadable.push(reason)};
  const elements = new Elements({single, of: 'spans'}, sink, CALL);
  for (const piece of pieces) await elements.push(piece);
  elements.end();
  return {texts, unreadable};
}

/** A whole array as it comes out of the splitting; undefined when anything is wrong with it. */
async function parsed(bytes: Uint8Array): Promise<unknown> {
  const {texts, unreadable} = await split([bytes]);
  return unreadable.length > 0 ? undefined : attempt(() => texts.map(text => JSON.parse(text) as unknown));
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const spaces = fc.constantFrom(undefined, 1, '\t');

/** The text of an array, in some layout. */
const arrayText = fc
  .tuple(fc.array(fc.jsonValue(), {maxLength: 6}), spaces)
  .map(([values, space]) => JSON.stringify(values, null, space));

/** A text with a piece cut out or put in. */
const mutate = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.nat(400),
      fc.nat(12),
      fc.oneof(fc.constantFrom('', '"', '\\', '[', ']', '{', '}', ',', ':', 'null', '0'), fc.string()),
    )
    .map(([whole, at, length, insert]) => {
      const from = whole.length === 0 ? 0 : at % whole.length;
      return whole.slice(0, from) + insert + whole.slice(from + length);
    });

test('an array is split into the values that JSON.parse finds in it, and what is no array is refused', async t => {
  const text = fc.oneof(arrayText, mutate(arrayText), mutate(mutate(arrayText)), fc.json(), fc.string());
  const property = fc.asyncProperty(text, async each => {
    // Nothing at all is no JSON, but stands for an empty array here.
    if (each.trim() === '') return;
    const whole = attempt(() => JSON.parse(each) as unknown);
    t.deepEqual(await parsed(Buffer.from(each)), Array.isArray(whole) ? whole : undefined, each);
  });
  await fc.assert(property, {numRuns});
});

test('where the bytes are cut does not matter', async t => {
  const text = fc.oneof(
    arrayText,
    mutate(arrayText),
    fc.string({unit: 'binary'}).map(each => `\ufeff["${each}"]`),
  );
  const property = fc.asyncProperty(text, fc.integer({min: 1, max: 30}), fc.boolean(), async (each, size, single) => {
    const bytes = Buffer.from(each);
    t.deepEqual(await split(cut(bytes, size), single), await split([bytes], single));
  });
  await fc.assert(property, {numRuns});
});

test('an array is read as JSON.parse reads it, but for integers that a double cannot hold', t => {
  const integer = fc.bigInt({min: -(10n ** 20n), max: 10n ** 20n}).map(String);
  const text = fc
    .tuple(fc.oneof(arrayText, mutate(arrayText)), integer, fc.nat(100))
    .map(([each, digits, at]) => each.slice(0, at % (each.length + 1)) + digits + each.slice(at % (each.length + 1)));
  const asText = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) =>
      typeof each === 'string' && /^-?[1-9]\d{15,}$/.test(each) ? Number(each) : each,
    );
  const property = fc.property(text, each => {
    const plain = attempt(() => ({value: JSON.parse(each) as unknown}));
    const exact = attempt(() => ({value: parseExact(each)}));
    t.deepEqual(asText(exact ?? null), asText(plain ?? null), each);
  });
  fc.assert(property, {numRuns});
});

const anything = fc.oneof(
  fc.uint8Array({maxLength: 300}),
  fc.json(),
  fc.jsonValue().map(value => JSON.stringify([value, {...SPAN, tags: value}, {...SEGMENT, spans: value}])),
  mutate(fc.constantFrom(JSON.stringify([SPAN, SPAN]), JSON.stringify([SEGMENT]), JSON.stringify(SEGMENT))),
  fc
    .tuple(fc.constantFrom(...Object.keys(SPAN), ...Object.keys(SEGMENT)), fc.jsonValue())
    .map(([key, value]) => JSON.stringify([{...SPAN, ...SEGMENT, [key]: value}])),
);

test('whatever is sent, each element is either stored or refused with a reason', async t => {
  const property = fc.asyncProperty(anything, async body => {
    for (const {items, bad} of [await decodeSpans([body]), await decodeSegments([body])]) {
      t.true(
        items.length + bad.length > 0 ||
          Buffer.from(body)
            .toString()
            .replace(/[\s[\]]/g, '') === '',
      );
      t.true(bad.every(({reason}) => reason.length > 5));
    }
  });
  await fc.assert(property, {numRuns: numRuns * 2});
});
