import test from 'ava';
import {PrometheusDriver, type RangeVector, ResponseType} from 'prometheus-query';
import {END, MINUTES, START} from './dataset.js';
import {startWithRecords} from './gateway.js';

const SONGS = {layer: 'GENERAL', service: 'songs'};
const selector = (metric: string, more = ''): string => `${metric}{layer='GENERAL',service='songs'${more}}`;

test('the npm client prometheus-query reads vectors, matrices, series, labels and metadata', async t => {
  const {urls} = await startWithRecords(t);
  const client = new PrometheusDriver({endpoint: urls.metrics ?? ''});
  const [start, end] = [START * 1000, END * 1000];

  const instant = await client.instantQuery(selector('service_cpm'), end);
  t.is(instant.resultType, ResponseType.VECTOR);
  const [one] = instant.result;
  t.like(one, {metric: {name: 'service_cpm', labels: {...SONGS, scope: 'Service'}}, value: {value: MINUTES - 1}});
  t.is(one.value.time.getTime(), end);

  const range = await client.rangeQuery(selector('service_percentile', ",p='50,95'"), start, end, 60);
  t.is(range.resultType, ResponseType.MATRIX);
  t.deepEqual(
    range.result.map((series: RangeVector) => [series.metric.labels, series.values.length, series.values[0]?.value]),
    [
      [{...SONGS, p: '50', scope: 'Service'}, MINUTES, 50],
      [{...SONGS, p: '95', scope: 'Service'}, MINUTES, 95],
    ],
  );

  const series = await client.series(`service_traffic{layer='GENERAL'}`, start, end);
  t.deepEqual(
    series.map(({name, labels}) => [name, (labels as Record<string, string>).service]),
    [
      ['service_traffic', 'app'],
      ['service_traffic', 'songs'],
    ],
  );
  t.true((await client.labelNames()).includes('service_instance'));
  t.deepEqual(await client.labelValues('__name__'), [
    'service_cpm',
    'service_instance_cpm',
    'service_percentile',
    'service_relation_client_cpm',
  ]);
  t.deepEqual((await client.metadata()).service_cpm, [{type: 'gauge', help: 'calls per minute', unit: ''}]);

  // The client rejects with a plain object, which holds the answer.
  const refused = await client.instantQuery('no_such_metric').catch((error: {prometheus: object}) => error.prometheus);
  t.like(refused, {status: 'error', errorType: 'bad_data'});
});
