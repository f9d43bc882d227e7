import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {descriptor} from '../../../../storage-adapters/banyandb/proto/descriptor.generated.js';
import * as methods from '../../../../storage-adapters/banyandb/proto/methods.js';
import {SegmentObject} from '../../../../storage-adapters/banyandb/proto/payload.js';
import {toMilliseconds, toTimestamp} from '../../../../storage-adapters/banyandb/proto/timestamp.js';
import {scratchFolder} from '../../../support/gateway.js';
import {descriptorRows, tableRows} from '../../../support/wire-table.js';
import {WIRE} from './wire.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const FOLDER = join(ROOT, 'storage-adapters/banyandb/proto');

const KINDS = [
  ['Stream', 'stream'],
  ['Measure', 'measure'],
  ['Trace', 'trace'],
  ['IndexRule', 'index_rule'],
  ['IndexRuleBinding', 'index_rule_binding'],
  ['TopNAggregation', 'top_n_aggregation'],
] as const;

/** The one pattern of the registries, and that of groups, which differs. */
function registryTable(): string {
  const lines = ['package banyandb.database.v1'];
  for (const [kind, field] of KINDS) {
    lines.push(
      `${kind}RegistryServiceCreateRequest: 1 ${field} ${kind}`,
      `${kind}RegistryServiceCreateResponse: 1 mod_revision int64`,
      `${kind}RegistryServiceDeleteRequest: 1 metadata banyandb.common.v1.Metadata`,
      `${kind}RegistryServiceDeleteResponse: 1 deleted bool`,
      `${kind}RegistryServiceGetRequest: 1 metadata banyandb.common.v1.Metadata`,
      `${kind}RegistryServiceGetResponse: 1 ${field} ${kind}`,
      `${kind}RegistryServiceListRequest: 1 group string`,
      `${kind}RegistryServiceListResponse: 1 ${field} ${kind}*`,
      `${kind}RegistryServiceExistRequest: 1 metadata banyandb.common.v1.Metadata`,
      `${kind}RegistryServiceExistResponse: 1 has_group bool; 2 has_${field} bool`,
    );
  }
  lines.push(
    'GroupRegistryServiceCreateRequest: 1 group banyandb.common.v1.Group',
    'GroupRegistryServiceCreateResponse: 1 mod_revision int64',
    'GroupRegistryServiceDeleteRequest: 1 group string',
    'GroupRegistryServiceDeleteResponse: 1 deleted bool',
    'GroupRegistryServiceGetRequest: 1 group string',
    'GroupRegistryServiceGetResponse: 1 group banyandb.common.v1.Group',
    'GroupRegistryServiceListRequest:',
    'GroupRegistryServiceListResponse: 1 group banyandb.common.v1.Group*',
    'GroupRegistryServiceExistRequest: 1 group string',
    'GroupRegistryServiceExistResponse: 1 has_group bool',
  );
  return lines.join('\n');
}

test('packages, messages, fields and numbers are those of the table', t => {
  const found = descriptorRows(descriptor);
  t.deepEqual(found, tableRows(`${WIRE.trim()}\n${registryTable()}`));
  t.true(found.length > 150);
});

const PATHS: readonly (readonly [{readonly path: string}, string])[] = [
  [methods.GetAPIVersion, '/banyandb.common.v1.Service/GetAPIVersion'],
  [methods.CheckHealth, '/grpc.health.v1.Health/Check'],
  [methods.groups.List, '/banyandb.database.v1.GroupRegistryService/List'],
  [methods.streams.List, '/banyandb.database.v1.StreamRegistryService/List'],
  [methods.measures.Get, '/banyandb.database.v1.MeasureRegistryService/Get'],
  [methods.traces.Exist, '/banyandb.database.v1.TraceRegistryService/Exist'],
  [methods.indexRules.List, '/banyandb.database.v1.IndexRuleRegistryService/List'],
  [methods.indexRuleBindings.Create, '/banyandb.database.v1.IndexRuleBindingRegistryService/Create'],
  [methods.topNAggregations.List, '/banyandb.database.v1.TopNAggregationRegistryService/List'],
  [methods.QueryMeasure, '/banyandb.measure.v1.MeasureService/Query'],
  [methods.TopN, '/banyandb.measure.v1.MeasureService/TopN'],
  [methods.QueryStream, '/banyandb.stream.v1.StreamService/Query'],
  [methods.QueryTrace, '/banyandb.trace.v1.TraceService/Query'],
];

for (const [method, path] of PATHS) {
  test(`a method has the path ${path}`, t => {
    t.is(method.path, path);
  });
}

test('writes stream both ways, queries answer once', t => {
  for (const write of [methods.WriteMeasure, methods.WriteStream, methods.WriteTrace]) {
    t.true(write.requestStream && write.responseStream);
  }
  for (const query of [methods.QueryMeasure, methods.QueryStream, methods.QueryTrace]) {
    t.false(query.requestStream || query.responseStream);
  }
});

test('a zero and an empty text are values, unlike a value that is missing', t => {
  const {requestSerialize, requestDeserialize} = methods.WriteTrace;
  const tags = [{int: {}}, {str: {}}, {null: 'NULL_VALUE'}, {}] as const;
  t.deepEqual(requestDeserialize(requestSerialize({tags})).tags, [
    {int: {value: '0'}, value: 'int'},
    {str: {value: ''}, value: 'str'},
    {null: 'NULL_VALUE', value: 'null'},
    {},
  ]);
});

test('a 64-bit integer keeps its digits', t => {
  const {responseSerialize, responseDeserialize} = methods.QueryMeasure;
  const fields = [{name: 'value', value: {int: {value: '9223372036854775807'}}}];
  const [point] = responseDeserialize(
    responseSerialize({data_points: [{fields, sid: '18446744073709551615'}]}),
  ).data_points;
  t.is(point?.fields[0]?.value?.int?.value, '9223372036854775807');
  t.is(point?.sid, '18446744073709551615');
});

test('bytes that are no message are refused', t => {
  const bytes = SegmentObject.encode({traceId: 'a-trace', service: 'checkout'});
  t.is(SegmentObject.decode(bytes).service, 'checkout');
  t.throws(() => SegmentObject.decode(Buffer.from([0x0f, 0xff])));
});

for (const milliseconds of [0, 1, 999, 1000, 1_700_000_000_123, -1, -1000, 9_214_646_400_000]) {
  test(`${milliseconds} ms survive as a timestamp`, t => {
    const {seconds, nanos} = toTimestamp(milliseconds);
    t.true(nanos >= 0 && nanos < 1e9 && nanos % 1e6 === 0);
    t.is(toMilliseconds({seconds, nanos}), milliseconds);
  });
}

test('the generated files are those that the .proto files give', async t => {
  const folder = await scratchFolder(t);
  execFileSync(process.execPath, [join(ROOT, 'scripts/generate-proto.mjs'), FOLDER, folder]);
  for (const file of ['descriptor.generated.ts', 'messages.generated.ts']) {
    t.is(readFileSync(join(folder, file), 'utf8'), readFileSync(join(FOLDER, file), 'utf8'), file);
  }
});
