import test from 'ava';
import {
  type OtlpAttribute,
  type OtlpValue,
  type OtlpValueType,
  otlpServiceName,
  otlpText,
  otlpValueType,
} from '../../../core/api/adapter.js';

const VALUES: readonly (readonly [value: OtlpValue, type: OtlpValueType, text: string])[] = [
  ['', 'string', ''],
  ['200', 'string', '200'],
  [200n, 'int', '200'],
  [-9_223_372_036_854_775_808n, 'int', '-9223372036854775808'],
  [9_223_372_036_854_775_807n, 'int', '9223372036854775807'],
  [200, 'double', '200'],
  [0.1, 'double', '0.1'],
  [1e21, 'double', '1e+21'],
  [-0, 'double', '0'],
  [Number.NaN, 'double', 'NaN'],
  [Number.NEGATIVE_INFINITY, 'double', '-Infinity'],
  [true, 'bool', 'true'],
  [false, 'bool', 'false'],
  [null, 'string', ''],
  [new Uint8Array([0, 255, 16]), 'string', 'AP8Q'],
  [new Uint8Array([1, 2, 3, 4]).subarray(1, 2), 'string', 'Ag=='],
  [[], 'string', '[]'],
  [['a"b', 1n, 1.5, true, null, Number.NaN, new Uint8Array([1])], 'string', '["a\\"b",1,1.5,true,null,"NaN","AQ=="]'],
  [{entries: []}, 'string', '{}'],
  [
    {
      entries: [
        {key: '9', value: [{entries: [{key: 'deep', value: 2n ** 62n}]}]},
        {key: '1', value: 'x'},
        {key: '1', value: 'y'},
      ],
    },
    'string',
    '{"9":[{"deep":4611686018427387904}],"1":"x","1":"y"}',
  ],
];

for (const [value, type, text] of VALUES) {
  const kind = typeof value === 'object' ? (value?.constructor.name ?? 'null') : typeof value;
  test(`the ${kind} ${JSON.stringify(text)} is listed with the type ${type}`, t => {
    t.is(otlpValueType(value), type);
    t.is(otlpText(value), text);
  });
}

const service = (value: OtlpValue): OtlpAttribute => ({key: 'service.name', value});
const SERVICES: readonly (readonly [title: string, attributes: readonly OtlpAttribute[], name: string | undefined])[] =
  [
    ['its name', [{key: 'faas.name', value: 'f'}, service('shop')], 'shop'],
    ['the last of two names', [service('a'), service('b')], 'b'],
    [
      'the function',
      [
        {key: 'k8s.deployment.name', value: 'k'},
        {key: 'faas.name', value: 'f'},
      ],
      'f',
    ],
    [
      'the deployment',
      [
        {key: 'process.executable.name', value: 'p'},
        {key: 'k8s.deployment.name', value: 'k'},
      ],
      'k',
    ],
    ['the program', [{key: 'process.executable.name', value: 'p'}], 'p'],
    ['the next where the name is empty', [service(''), {key: 'process.executable.name', value: 'p'}], 'p'],
    ['a number as its text', [service(7n)], '7'],
    ['none', [{key: 'service', value: 'shop'}], undefined],
  ];

for (const [title, attributes, name] of SERVICES) {
  test(`the service of a resource is ${title}`, t => {
    t.is(otlpServiceName({attributes, droppedAttributesCount: 0, schemaUrl: ''}), name);
  });
}
