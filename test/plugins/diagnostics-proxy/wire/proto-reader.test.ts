import test from 'ava';
import fc from 'fast-check';
import {channelMethods} from '../../../../plugins/diagnostics/proto/contract.js';
import {toJson} from '../../../../plugins/diagnostics/proto/message-json.js';
import {MetricsMessageReader} from '../../../../plugins/diagnostics-proxy/wire/metrics-message-reader.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const text = fc.oneof(fc.string({unit: 'grapheme', maxLength: 100}), fc.constantFrom('', 'pod', 'pöd', 'x'.repeat(65)));
const metric = fc.record({
  name: text,
  value: fc.double(),
  description: text,
  labels: fc.dictionary(
    text.filter(name => name !== '__proto__'),
    text,
    {maxKeys: 4},
  ),
  timestamp: fc.record({
    seconds: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-1, 0, -62_135_596_801, 253_402_300_800)).map(String),
    nanos: fc.integer({min: -(2 ** 31), max: 2 ** 31 - 1}),
  }),
});

test('metrics are read as the library reads them', t => {
  const {requestSerialize, requestDeserialize} = channelMethods.StreamMetrics;
  fc.assert(
    fc.property(fc.array(metric, {maxLength: 5}), metrics => {
      const bytes = requestSerialize({metrics});
      const read = [...new MetricsMessageReader(bytes).metrics()].map(({name, value, description, labels, time}) => {
        const pairs = labels.flatMap((label, index) => (index % 2 === 0 ? [[label, labels[index + 1]]] : []));
        return {name, value, description, labels: Object.fromEntries(pairs), timestamp: time};
      });
      const expected = requestDeserialize(bytes).metrics.map(({type, ...rest}) => ({
        ...rest,
        timestamp: {seconds: String(rest.timestamp?.seconds), nanos: rest.timestamp?.nanos},
      }));
      t.deepEqual(read as unknown, expected as unknown);
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 4)},
  );
});

test('a message cut anywhere, or with any byte changed, is read or refused with a RangeError', t => {
  const bytes = channelMethods.StreamMetrics.requestSerialize({
    metrics: [{name: 'm', labels: {a: 'b', c: 'd'}, value: 1, timestamp: {seconds: '-5', nanos: 1}}],
    timestamp: {seconds: '5', nanos: 1},
  });
  fc.assert(
    fc.property(fc.nat(bytes.length), fc.nat(bytes.length - 1), fc.nat(255), (length, at, byte) => {
      const changed = Buffer.from(bytes);
      changed[at] = byte;
      for (const input of [bytes.subarray(0, length), changed]) {
        try {
          const message = new MetricsMessageReader(input);
          message.time();
          for (const _ of message.metrics());
        } catch (error) {
          t.true(error instanceof RangeError, String(error));
        }
      }
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 4)},
  );
  t.pass();
});

test('a message as JSON has its fields in the order of the contract, enums by name and times as text', t => {
  const {InspectAll} = {InspectAll: channelMethods.StreamLifecycle};
  const groups = [
    {
      name: 'g',
      catalog: 'CATALOG_STREAM',
      resource_opts: {shard_num: 1, ttl: {unit: 7 as never, num: 3}, stages: [{name: 's', segment_interval: {}}]},
      data_info: [{node: {roles: [9 as never], created_at: {seconds: '-62135596801', nanos: 0}}}],
      schema_consistency: {status: 8 as never, issues: [{type: 5 as never}]},
    },
  ];
  const {lifecycle_data} = InspectAll.requestDeserialize(InspectAll.requestSerialize({lifecycle_data: {groups}}));
  const [group] = lifecycle_data?.groups ?? [];
  const interval = '{"unit":"UNIT_UNSPECIFIED","num":0}';
  t.is(
    JSON.stringify(toJson('GroupLifecycleInfo', group ?? {})),
    '{"name":"g","catalog":"CATALOG_STREAM","resource_opts":{"shard_num":1,"segment_interval":null,' +
      `"ttl":{"unit":"UNKNOWN_UNIT_7","num":3},"stages":[{"name":"s","shard_num":0,"segment_interval":${interval},` +
      '"ttl":null,"node_selector":"","close":false,"replicas":0}],"default_stages":[],"replicas":0},' +
      '"data_info":[{"node":{"metadata":null,"roles":["UNKNOWN_ROLE_9"],"grpc_address":"","http_address":"",' +
      '"created_at":null,"labels":{},"property_repair_gossip_grpc_address":"","property_schema_grpc_address":"",' +
      '"property_schema_gossip_grpc_address":""},"segment_info":[],"data_size_bytes":"0"}],"errors":[],' +
      '"schema_consistency":{"status":"UNKNOWN_CONSISTENCY_STATUS_8","objects":[],' +
      '"issues":[{"kind":"","name":"","node":"","type":"UNKNOWN_SCHEMA_ISSUE_TYPE_5"}]}}',
  );
});
