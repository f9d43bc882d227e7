import test from 'ava';
import {M2} from '../scene.js';
import {withScene} from '../support.js';
import {SA} from './rows.js';

const scene = withScene(test);

test('without a time, the query is of now', async t => {
  const minute = Math.floor(Date.now() / 60_000) * 60;
  const lines = [minute - 60, minute].map(time =>
    JSON.stringify({record: 'sample', metric: 'service_cpm', layer: 'GENERAL', service: 'now', time, value: 42}),
  );
  await scene.ingest(lines.join('\n'));
  t.regex(await scene.instant("service_cpm{service='now',layer='GENERAL'}"), / 42@\d+$/);
  t.regex(await scene.instant('1'), /^scalar 1@\d+(\.\d{1,3})?$/);
  const empty = await scene.get('/api/v1/query', {query: "service_cpm{service='now',layer='GENERAL'}", time: ''});
  t.regex(empty.text, /"42"\]/);
});

test('the envelope is written in the order that clients read', async t => {
  const {text, headers} = await scene.get('/api/v1/query', {query: SA, time: String(M2)});
  t.is(
    text,
    '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"service_cpm","layer":"GENERAL","scope":"Service","service":"A"},"value":[1700000160,"2"]}]}}',
  );
  t.regex(String(headers['content-type']), /^application\/json/);
});
