import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';
import test from 'ava';
import type {SpanFilter} from '../../../core/api/adapter.js';
import {collected} from '../support/answers.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

/**
 * A database of version 5 as commit 24cde46 wrote it: an hour of two series, of which the last two minutes and two more
 * were written late and wait unmerged; three compat spans, one of them replaced; a native segment.
 */
const DATABASE = fileURLToPath(new URL('../../../../test/fixtures/embedded/version-5.db.gz', import.meta.url));
const START = 1_699_999_200;
const EVER = {from: 0, to: Number.MAX_SAFE_INTEGER};

async function opened(path: string): Promise<Harness> {
  await writeFile(join(path, 'gateway.db'), gunzipSync(await readFile(DATABASE)));
  return Harness.open({path, memory: 0}, {clock: () => (START + 2 * 3600 + 300) * 1000});
}

for (const compacted of [false, true]) {
  test(`a folder of an earlier gateway is read as it was written, ${compacted ? 'after' : 'before'} its late rows are compacted`, async t => {
    const harness = await opened(await temporaryFolder(t));
    if (compacted) await harness.storage.settle();
    t.is((await harness.storage.health(call.signal)).status, 'ok');
    const [metric] = await harness.metrics.catalog(call);
    if (metric === undefined) throw new Error('the folder has no metric');
    const valuesOf = async (pod: number, step: 'minute' | 'hour', count: number) => {
      const entity = {layer: 'GENERAL', service: 'cart', serviceInstance: `pod-${pod}`};
      const window = {step, first: START, count};
      const [column] = await harness.metrics.values({metric, entity, valueFilters: new Map(), window}, call);
      return [...(column?.values ?? [])];
    };
    const minutes = (added: number) => Array.from({length: 62}, (_, i) => (i < 58 ? i + added : 1000 + i));
    t.deepEqual(await valuesOf(0, 'minute', 62), minutes(0));
    t.deepEqual(await valuesOf(1, 'minute', 62), minutes(0.1));
    const hour = minutes(0).slice(0, 60);
    t.is((await valuesOf(0, 'hour', 1))[0], hour.reduce((sum, value) => sum + value) / 60);

    const search = (filter: SpanFilter) => collected(harness.get('traces.compat.v1').search({filter, ...EVER}, call));
    const [trace] = await search([{on: 'tag', key: 'key', value: 'new'}]);
    t.deepEqual(trace?.spans.map(({name}) => name).sort(), ['again', 'op-1', 'op-3']);
    t.like(trace?.spans[0], {
      localEndpoint: {serviceName: 'cart', ipv4: '10.0.0.1', port: 80},
      annotations: [{timestamp: START * 1e6 + 1, value: 'note'}],
    });
    t.deepEqual(await search([{on: 'tag', key: 'key', value: 'value-2'}]), []);

    const native = harness.get('traces.native.v2');
    const [found] = await collected(native.search({filter: [{on: 'status', value: 'ERROR'}], ...EVER}, call));
    t.like(found?.segments[0]?.spans[0], {operationName: '/buy', tags: [{key: 'http.method', value: 'POST'}]});
  });
}
