import {join} from 'node:path';
import test from 'ava';
import Database from 'better-sqlite3';
import {otlpSpan} from '../../../core/api/otlp-spans.js';
import {collected} from '../../support/answers.js';
import {metric} from '../../support/batches.js';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {dropOtlp} from './older-version.js';
import {EVER, searched, span, spansOf} from './support.js';

test('a database of the version without traces of OTLP is taken on, and takes them', async t => {
  const path = await temporaryFolder(t);
  const before = await Harness.open({path});
  await before.spans.write([span(0, 0)], call);
  await before.storage.stop();
  const database = new Database(join(path, 'gateway.db'));
  dropOtlp(database);
  database.pragma('user_version = 5');
  database.close();

  const harness = await Harness.open({path});
  const sent = otlpSpan({startTime: 5n, name: 'a'});
  await harness.get('ingest.otlp.v1').write([sent], call);
  await harness.restart();
  t.deepEqual((await harness.get('traces.otlp.v1').trace(sent.traceId, call))?.spans, [sent]);
  t.is((await searched(harness.compat)).length, 1);
});

test('a database of the version without traces is taken on with what it holds', async t => {
  const path = await temporaryFolder(t);
  const before = await Harness.open({path});
  await before.write({metrics: [metric('load')]});
  await before.storage.stop();
  // What the first version made: the same tables, but for those of traces.
  const database = new Database(join(path, 'gateway.db'));
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'compat~_%' ESCAPE '~' OR name LIKE 'native~_%' ESCAPE '~' OR name LIKE 'otlp~_%' ESCAPE '~')",
    )
    .pluck()
    .all();
  t.true(tables.length > 0);
  for (const table of tables) database.exec(`DROP TABLE ${table}`);
  database.pragma('user_version = 1');
  database.close();

  const harness = await Harness.open({path});
  t.deepEqual(await harness.metrics.catalog(call), [metric('load')]);
  await harness.spans.write([span(0, 0)], call);
  t.is((await searched(harness.compat)).length, 1);
  await harness.restart();
  t.is((await searched(harness.compat)).length, 1);
});

test('a database of the version without an index of durations is taken on with what it holds', async t => {
  const path = await temporaryFolder(t);
  const before = await Harness.open({path});
  await before.spans.write(spansOf(20, 2), call);
  await before.storage.stop();
  const database = new Database(join(path, 'gateway.db'));
  for (const kind of ['compat', 'native']) {
    database.exec(
      `DROP INDEX ${kind}_traces_by_duration; CREATE INDEX ${kind}_traces_by_hour ON ${kind}_traces (hour)`,
    );
  }
  dropOtlp(database);
  database.pragma('user_version = 2');
  database.close();

  const harness = await Harness.open({path});
  const asked = {filter: [], traceDuration: {min: 12}, ...EVER};
  t.is((await collected(harness.compat.search(asked, call))).length, 20);
  await harness.spans.write([span(20, 0, {duration: 12}), span(21, 0, {duration: 11})], call);
  t.is((await collected(harness.compat.search(asked, call))).length, 21);
});

test('surrogates without their other half are stored as the replacement character, and hinder nothing', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const tags = new Map([
    ['a\ud800', 'x\ud800'],
    ['a\udfff', 'x\udfff'],
  ]);
  await harness.spans.write([span(0, 0, {tags}), span(0, 1)], call);
  t.is((await searched(harness.compat, [{on: 'tag', key: 'a\ufffd', value: 'x\ufffd'}])).length, 1);
});
