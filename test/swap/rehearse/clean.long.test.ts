import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {rehearse, store} from '../../core/rehearse/scene.js';
import {scratchFolder} from '../../support/gateway.js';
import {compatSpans} from '../compat-spans.js';
import {BUSY_HOUR, metricRecords, SERVICES} from '../metric-records.js';
import {nativeSegments} from '../native-segments.js';
import {randomTraffic, WRITTEN} from './random-requests.js';

const REQUESTS = Number(process.env.REQUESTS ?? 500);

test('of random requests to two storages that hold the same none is a false alarm, while both are written to', async t => {
  const folder = await scratchFolder(t);
  const files = {
    'm.ndjson': metricRecords().join('\n'),
    's.json': JSON.stringify(compatSpans()),
    'n.json': JSON.stringify(nativeSegments()),
  };
  const ingest = {metrics: WRITTEN, services: SERVICES, late: BUSY_HOUR};
  await Promise.all(['old', 'new'].map(name => store(folder, name, files, {ingest})));
  await writeFile(join(folder, 'traffic.ndjson'), randomTraffic(REQUESTS, Number(process.env.SEED ?? 1)).join(''));
  const {code, stdout, stderr, report} = await rehearse(folder, '--traffic', 'traffic.ndjson');
  t.deepEqual(
    report.requests.filter(({class: of}) => of === 'differs' || of === 'error'),
    [],
  );
  t.is(code, 0, stderr);
  // Beside large values a late one may change a sum by less than the tolerance.
  const {equal = 0, noise = 0, 'within tolerance': near = 0} = report.counts;
  t.is(equal + noise + near, REQUESTS);
  t.log(stdout);
});
