import test from 'ava';
import {complete} from '../../../../core/toolkit/yielder.js';
import {isReservedMetric} from '../../../../plugins/ingest/formats/metric-records/reserved-names.js';
import {parseExpression} from '../../../../plugins/promql-subset/language/parse.js';

const LIMITS = {queryLength: 16_384, nesting: 200};

const KEYWORDS =
  `sum min max avg count count_values group stddev stdvar topk bottomk quantile limitk limit_ratio by without
  bool and or unless atan2 on ignoring group_left group_right offset anchored smoothed inf nan`.split(/\s+/);

/** Where a metric may stand. */
const QUERIES: readonly ((name: string) => string)[] = [
  name => name,
  name => `${name}{a='b'}`,
  name => `1 + ${name}`,
  name => `1 + ${name}{a='b'}`,
  name => `${name} - ${name}`,
  name => `x > bool ${name}`,
  name => `sum(${name})`,
  name => `sum by (a) (${name}{a='b'})`,
  name => `(${name})`,
];

for (const word of KEYWORDS.flatMap(each => [each, each.toUpperCase()])) {
  test(`a metric named ${word} is read wherever a metric may stand, or refused where data are taken in`, t => {
    const wrong = QUERIES.map(query => query(word)).filter(query => {
      try {
        complete(parseExpression(query, LIMITS));
        return false;
      } catch {
        return true;
      }
    });
    // Numbers are read everywhere, but as numbers.
    if (isReservedMetric(word)) t.regex(word, /^(bool|inf|nan)$/i);
    else t.deepEqual(wrong, []);
  });
}
