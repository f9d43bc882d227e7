import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/plugin.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import type {QueryCondition} from '../../../../plugins/traceql/language/ast.js';
import {parseDuration, printDuration} from '../../../../plugins/traceql/language/literals.js';
import {parseQuery} from '../../../../plugins/traceql/language/parse.js';
import {parsePartial} from '../../../../plugins/traceql/language/partial-parse.js';
import {print} from '../../../../plugins/traceql/language/print.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {isTraceQL} from './lezer.js';

const LIMITS = {queryLength: 16_384, nesting: 200};
const RUNS = {numRuns: Math.ceil(FUZZ_RUNS / 5)};

const text = fc.oneof(
  fc.string({unit: 'binary', maxLength: 12}),
  fc.string({unit: fc.constantFrom(...'ab."\\ \n\'`{}&/*é😀'), maxLength: 12}),
);

const number = fc
  .tuple(fc.bigInt({min: 0n, max: 9_999_999_999n}), fc.option(fc.stringMatching(/^\d{1,9}$/)))
  .map(([whole, fraction]) => (fraction === null ? `${whole}` : `${whole}.${fraction}`));

const duration = fc.tuple(number, fc.constantFrom('', 'us', 'µs', 'μs', 'ms', 's', 'm')).map(parts => parts.join(''));

const condition: fc.Arbitrary<QueryCondition> = fc.oneof(
  fc.record({on: fc.constantFrom('service' as const, 'name' as const, 'name-or-tag' as const), value: text}),
  fc.record({on: fc.constant('tag' as const), key: text.filter(key => key !== '' && key !== 'name'), value: text}),
  fc.record({
    on: fc.constant('status' as const),
    value: fc.constantFrom('OK' as const, 'ERROR' as const, 'UNSET' as const),
  }),
  fc.record({on: fc.constant('kind' as const), value: fc.constantFrom('SERVER' as const, 'UNSPECIFIED' as const)}),
  fc.record({
    on: fc.constant('duration' as const),
    is: fc.constantFrom('=' as const, '>' as const, '>=' as const, '<' as const, '<=' as const),
    value: duration.map(each => parseDuration(each) ?? 0),
  }),
);

const PARTS = [
  '{ } ( ) && || = != =~ !~ > >= < <= >> << ! | ^ , & ~ + - * / // /* */ \n " \' ` \\',
  'name status kind duration span. span.a .b resource.service.name resource.x event.y span:name trace:id http.method',
  'error server nil true 5 5ms 1h30m 1.5 "a" \'b\' `c` "\\n" "\\q" span."d e" count() by with rate ä 😀',
]
  .join(' ')
  .split(' ');

const soup = fc
  .array(fc.oneof({weight: 4, arbitrary: fc.constantFrom(...PARTS)}, {weight: 1, arbitrary: text}), {maxLength: 12})
  .chain(parts => fc.constantFrom(parts.join(' '), parts.join(''), `{${parts.join(' ')}}`));

test('what is printed is read back as the same conditions, by the query editor of Grafana too', t => {
  fc.assert(
    fc.property(fc.array(condition, {maxLength: 5}), conditions => {
      const printed = print(conditions);
      t.deepEqual(complete(parseQuery(printed, LIMITS)), conditions);
      t.deepEqual(complete(parsePartial(printed, LIMITS)), conditions);
      // The editor knows no escape for a line break, and without one no text has both it and a backtick.
      if (!printed.includes('\\n') && !isTraceQL(printed)) throw new Error(`the query editor does not read ${printed}`);
    }),
    RUNS,
  );
  t.pass();
});

test('any text is a query or a refusal with a place in it', t => {
  fc.assert(
    fc.property(soup, query => {
      try {
        const conditions = complete(parseQuery(query, LIMITS));
        const printed = print(conditions);
        t.deepEqual(complete(parseQuery(printed, LIMITS)), conditions);
        // The editor knows no escape for a line break, and without one no text has both it and a backtick.
        if (!printed.includes('\\n') && !isTraceQL(printed))
          throw new Error(`the query editor does not read ${printed}`);
      } catch (error) {
        if (!GatewayError.is(error)) throw error;
        const line = query.split('\n')[(error.position?.line ?? 0) - 1];
        const column = error.position?.column ?? 0;
        if (line === undefined || column < 1 || column > line.length + 1)
          throw new Error(`no such place: ${error.message}`);
        if (error.message.includes('BUG')) throw error;
      }
    }),
    {numRuns: RUNS.numRuns * 2},
  );
  t.pass();
});

test('typing never fails, and says no more than the finished query', t => {
  fc.assert(
    fc.property(fc.array(condition, {maxLength: 3}), fc.nat(), soup, (conditions, cut, rest) => {
      const printed = print(conditions);
      const typed = printed.slice(0, cut % (printed.length + 1));
      const left = complete(parsePartial(typed, LIMITS));
      // A number is whole with each of its digits.
      const isGrowing = left.at(-1)?.on === 'duration' && typed !== printed;
      const whole = isGrowing ? left.slice(0, -1) : left;
      t.deepEqual(whole, conditions.slice(0, whole.length));
      complete(parsePartial(typed + rest, LIMITS));
    }),
    RUNS,
  );
  t.pass();
});

test('durations keep their value to the last digit', t => {
  fc.assert(
    fc.property(duration, given => {
      const value = parseDuration(given);
      if (value !== undefined) t.is(parseDuration(printDuration(value)), value, given);
    }),
    RUNS,
  );
  t.pass();
});
