import test from 'ava';
import type {MeasureQueryRequest, OutgoingMessage} from '../../../storage-adapters/banyandb/proto/methods.js';
import {QueryMeasure, WriteMeasure} from '../../../storage-adapters/banyandb/proto/methods.js';
import {toMilliseconds} from '../../../storage-adapters/banyandb/proto/timestamp.js';
import {all, between, either, families, int, plain, str, strings, tagsOf, where} from './support/queries.js';
import {ask, GROUP, MEASURE, MINUTE, type SampleRow, T0, writeSamples} from './support/sample-measure.js';
import {refuses, startFake} from './support/start-fake.js';

const everyMinute = (entity: string, count: number): SampleRow[] =>
  Array.from({length: count}, (_, minute) => ({entity, minute, value: minute}));

/** Asks with other ends, in minutes after the first row. */
const RANGES: readonly (readonly [string, number, number, readonly bigint[]])[] = [
  ['of one minute has the row of that minute', 2, 2, [2n]],
  ['includes both ends', 1, 3, [1n, 2n, 3n]],
  ['between two rows is empty', 1.5, 1.75, []],
  ['beyond the rows is empty', 5, 9, []],
];

for (const [title, begin, end, values] of RANGES) {
  test(`a time range ${title}`, async t => {
    const started = await startFake(t);
    await writeSamples(started, everyMinute('a', 5));
    const time_range = between(T0 + begin * MINUTE, T0 + end * MINUTE);
    const {data_points} = await started.client.call(QueryMeasure, ask({time_range}));
    t.deepEqual(
      data_points.map(({fields}) => plain(fields[0]?.value ?? null)),
      values,
    );
  });
}

const LIMITS: readonly (readonly [string, OutgoingMessage<MeasureQueryRequest>, number])[] = [
  ['without a limit 100 rows come back, and nothing says that there are more', {limit: 0}, 100],
  ['a limit counts rows', {limit: 7}, 7],
  ['a large limit brings everything', {limit: 1_000_000}, 150],
  ['an offset skips rows', {limit: 100, offset: 140}, 10],
  ['an offset beyond the end brings nothing', {limit: 100, offset: 150}, 0],
];

for (const [title, request, count] of LIMITS) {
  test(title, async t => {
    const started = await startFake(t);
    await writeSamples(started, everyMinute('a', 150));
    const {data_points} = await started.client.call(QueryMeasure, ask(request));
    t.is(data_points.length, count);
  });
}

const REFUSALS: readonly (readonly [string, OutgoingMessage<MeasureQueryRequest>, number, RegExp])[] = [
  ['a query without a time range', {time_range: null}, 3, /^time is empty$/],
  [
    'a time range with parts of a millisecond',
    {time_range: {begin: {seconds: '1', nanos: 1_000_001}, end: {seconds: '2'}}},
    3,
    /^time is not millisecond precision$/,
  ],
  ['an unknown group', {groups: ['sw_other']}, 2, /STATUS_INTERNAL_ERROR.*measure .* doesn't exist/],
  ['an unknown measure', {name: 'nothing_minute'}, 2, /STATUS_INTERNAL_ERROR.*measure .* doesn't exist/],
  ['a projection of nothing', {tag_projection: null, field_projection: null}, 2, /invalid query message/],
  ['an unknown tag', {tag_projection: families({searchable: ['nothing']})}, 2, /invalid query message/],
  ['an unknown field', {field_projection: {names: ['nothing']}}, 2, /invalid query message/],
  ['a condition on an unknown tag', {criteria: where('nothing', 'EQ', str('x'))}, 2, /invalid query message/],
  ['a condition on a tag without index rule', {criteria: where('note', 'EQ', str('x'))}, 2, /mandatory index rule/],
  ['a condition on a field', {criteria: where('value', 'GT', int(1))}, 2, /invalid query message/],
  ['NE on an entity tag', {criteria: where('entity_id', 'NE', str('a'))}, 2, /unsupported condition/],
  ['GT on an entity tag', {criteria: where('entity_id', 'GT', str('a'))}, 2, /unsupported condition/],
  ['MATCH on a tag without analyzer', {criteria: where('service_id', 'MATCH', str('a'))}, 2, /unsupported condition/],
  ['an order by an unknown rule', {order_by: {index_rule_name: 'nothing', sort: 'SORT_ASC'}}, 2, /not found/],
  ['an order by a rule without sort', {order_by: {index_rule_name: 'service_id', sort: 'SORT_ASC'}}, 2, /sorting/],
  [
    'an aggregation of bytes',
    {
      field_projection: {names: ['double_value']},
      agg: {function: 'AGGREGATION_FUNCTION_SUM', field_name: 'double_value'},
    },
    2,
    /panic/,
  ],
];

for (const [title, request, code, text] of REFUSALS) {
  test(`${title} is refused with code ${code}`, async t => {
    const started = await startFake(t);
    await writeSamples(started, [{entity: 'a'}]);
    await refuses(t, started.client.call(QueryMeasure, ask(request)), code, text);
  });
}

const ROWS: readonly SampleRow[] = [
  {entity: 'a', tags: {service_id: 's1', path: '/api/Orders/7', size: 10n, keys: ['x', 'y']}},
  {entity: 'b', tags: {service_id: 's1', path: '/api/users', size: 20n, keys: ['y']}},
  {entity: 'c', tags: {service_id: 's2', path: 'orders', size: 30n, keys: ['x']}},
  {entity: 'd', tags: {service_id: ''}},
];

const CONDITIONS: readonly (readonly [string, OutgoingMessage<MeasureQueryRequest>['criteria'], string])[] = [
  ['EQ on the entity', where('entity_id', 'EQ', str('b')), 'b'],
  ['IN on the entity', where('entity_id', 'IN', strings('c', 'a', 'nobody', 'a')), 'ca'],
  ['EQ on an indexed tag', where('service_id', 'EQ', str('s1')), 'ab'],
  ['EQ with an empty text, which is a value', where('service_id', 'EQ', str('')), 'd'],
  ['NE on an indexed tag', where('service_id', 'NE', str('s1')), 'cd'],
  ['IN on an indexed tag', where('service_id', 'IN', strings('s2', 's3')), 'c'],
  ['NOT_IN on an indexed tag', where('service_id', 'NOT_IN', strings('s2', 's3')), 'abd'],
  ['GT on an integer', where('size', 'GT', int(10)), 'bc'],
  ['GE on an integer', where('size', 'GE', int(20)), 'bc'],
  ['LT on an integer', where('size', 'LT', int(20)), 'a'],
  ['LE on an integer', where('size', 'LE', int(20)), 'ab'],
  ['HAVING all the listed texts', where('keys', 'HAVING', strings('y', 'x')), 'a'],
  ['NOT_HAVING, which is true of a missing list', where('keys', 'NOT_HAVING', strings('x')), 'bd'],
  ['EQ with null, which nothing equals', where('size', 'EQ', {null: 'NULL_VALUE'}), ''],
  ['EQ on an analysed tag, which never matches', where('path', 'EQ', str('/api/users')), ''],
  ['MATCH on a whole token', where('path', 'MATCH', str('api')), 'ab'],
  ['MATCH on a part of a token, which never matches', where('path', 'MATCH', str('user')), ''],
  ['MATCH in another case, which never matches', where('path', 'MATCH', str('orders')), 'c'],
  ['AND', all(where('service_id', 'EQ', str('s1')), where('size', 'GT', int(10))), 'b'],
  [
    'AND of three',
    all(
      where('entity_id', 'IN', strings('a', 'b')),
      where('service_id', 'EQ', str('s1')),
      where('size', 'LT', int(15)),
    ),
    'a',
  ],
  ['OR over indexed tags', either(where('service_id', 'EQ', str('s2')), where('size', 'EQ', int(20))), 'bc'],
];

for (const [title, criteria, found] of CONDITIONS) {
  test(`rows are found by ${title}`, async t => {
    const started = await startFake(t);
    await writeSamples(started, ROWS);
    const {data_points} = await started.client.call(QueryMeasure, ask({criteria: criteria ?? null}));
    t.is(data_points.map(point => tagsOf(point).entity_id).join(''), found);
  });
}

test('an entity tag under OR is refused', async t => {
  const started = await startFake(t);
  await writeSamples(started, ROWS);
  const criteria = either(where('entity_id', 'EQ', str('a')), where('service_id', 'EQ', str('s2')));
  await refuses(t, started.client.call(QueryMeasure, ask({criteria})), 2, /unsupported condition/);
});

test('before 0.10 a tag of the criteria has to be projected too', async t => {
  const started = await startFake(t, {release: '0.9'});
  await writeSamples(started, ROWS);
  const criteria = where('service_id', 'EQ', str('s2'));
  await refuses(t, started.client.call(QueryMeasure, ask({criteria})), 2, /invalid query message/);
  const tag_projection = families({searchable: ['service_id'], 'storage-only': ['entity_id']});
  const {data_points} = await started.client.call(QueryMeasure, ask({criteria, tag_projection}));
  t.deepEqual(data_points.map(tagsOf), [{service_id: 's2', entity_id: 'c'}]);
});

test('the name of a family is echoed as it was sent, and tags are found by their own names', async t => {
  const started = await startFake(t);
  await writeSamples(started, ROWS.slice(0, 1));
  const tag_projection = families({whatever: ['service_id', 'entity_id']});
  const {data_points} = await started.client.call(QueryMeasure, ask({tag_projection}));
  t.deepEqual(
    data_points.map(({tag_families}) => tag_families.map(({name}) => name)),
    [['whatever']],
  );
  t.deepEqual(data_points.map(tagsOf), [{service_id: 's1', entity_id: 'a'}]);
});

test('a tag that was not written is null, and a zero is not', async t => {
  const started = await startFake(t);
  await writeSamples(started, [{entity: 'a', value: 0, tags: {size: 0n}}]);
  const tag_projection = families({searchable: ['size', 'service_id']});
  const [point] = (await started.client.call(QueryMeasure, ask({tag_projection}))).data_points;
  t.deepEqual(point && tagsOf(point), {size: 0n, service_id: null});
  t.is(plain(point?.fields[0]?.value ?? null), 0n);
});

const ORDERS: readonly (readonly [string, OutgoingMessage<MeasureQueryRequest>['order_by'], string])[] = [
  ['without an order, oldest first', null, 'cab'],
  ['by time, newest first', {index_rule_name: '', sort: 'SORT_DESC'}, 'bac'],
  ['by time, oldest first', {index_rule_name: '', sort: 'SORT_ASC'}, 'cab'],
  ['by a sortable rule, smallest first', {index_rule_name: 'size', sort: 'SORT_ASC'}, 'abc'],
  ['by a sortable rule, largest first', {index_rule_name: 'size', sort: 'SORT_DESC'}, 'cba'],
];

for (const [title, order_by, found] of ORDERS) {
  test(`rows come ${title}`, async t => {
    const started = await startFake(t);
    await writeSamples(started, [
      {entity: 'a', minute: 2, tags: {size: 1n}},
      {entity: 'b', minute: 3, tags: {size: 2n}},
      {entity: 'c', minute: 1, tags: {size: 3n}},
    ]);
    const {data_points} = await started.client.call(QueryMeasure, ask({order_by: order_by ?? null}));
    t.is(data_points.map(point => tagsOf(point).entity_id).join(''), found);
  });
}

test('the greatest version of a row stands, in whatever order they were written', async t => {
  const started = await startFake(t);
  const {fake, client} = started;
  await writeSamples(started, []);
  const write = (
    value: number,
    version: number,
  ): OutgoingMessage<Parameters<typeof WriteMeasure.requestSerialize>[0]> => ({
    metadata: {group: GROUP, name: MEASURE.name},
    data_point: {
      timestamp: {seconds: String(T0 / 1000)},
      tag_families: [{tags: []}, {tags: [str('a')]}],
      fields: [{int: {value: String(value)}}],
      version: String(version),
    },
  });
  const answers = await client.write(WriteMeasure, [write(1, 5), write(2, 7), write(3, 6)]);
  t.deepEqual(
    answers.map(({status}) => status),
    ['STATUS_SUCCEED', 'STATUS_SUCCEED', 'STATUS_SUCCEED'],
  );
  const [point, ...others] = (await client.call(QueryMeasure, ask())).data_points;
  t.is(others.length, 0);
  t.is(plain(point?.fields[0]?.value ?? null), 2n);
  t.is(point?.version, '7');
  t.is(toMilliseconds(point?.timestamp ?? {seconds: '0', nanos: 0}), T0);
  t.is(fake.requests.count(WriteMeasure), 3);
});
