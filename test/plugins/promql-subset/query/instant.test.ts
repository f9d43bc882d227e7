import test from 'ava';
import {M1, M2} from '../scene.js';
import {A, SA, SB, testRows} from './rows.js';

testRows(test, [
  {title: 'the newest bucket wins', query: SA, time: M2 + 30, result: ['vector', `service_cpm{${A}} 2@120`]},
  {
    title: 'two minutes back are still seen',
    query: SB,
    time: M1 + 179,
    result: ['vector', 'service_cpm{layer="GENERAL",scope="Service",service="B"} 1@60'],
  },
  ...[4, 0, -86_400, -62_167_219_200, 253_402_300_799].map(time => ({
    title: `nothing is found at ${time}`,
    query: `${SA} + ${SA}`,
    time,
    result: ['vector'],
  })),
  ...[4, -86_400, 253_402_300_799].map(time => ({
    title: `no entity is ranked at ${time}`,
    query: "service_instance_cpm{layer='GENERAL',top_n='2',order='DES'}[1w]",
    time,
    result: ['matrix'],
  })),
  {title: 'three minutes back are not', query: SB, time: M2 + 200, result: ['vector']},
  {
    title: 'an unknown entity is an empty success',
    query: "service_cpm{service='ghost',layer='GENERAL'}",
    time: M2,
    result: ['vector'],
  },
  {
    title: 'layer filters',
    query: "service_cpm{service='A',layer='MESH'}",
    time: M2,
    result: ['vector', 'service_cpm{layer="MESH",scope="Service",service="A"} 99@120'],
  },
  {
    title: 'a layer of the data alone is known',
    query: "service_cpm{service='order.service',layer='MY_LAYER'}",
    time: M2,
    result: ['vector', 'service_cpm{layer="MY_LAYER",scope="Service",service="order.service"} 5@120'],
  },
  {
    title: 'a name with escapes',
    query: String.raw`service_cpm{service="quoted \"\\ name",layer="GENERAL"}`,
    time: M2,
    result: ['vector', String.raw`service_cpm{layer="GENERAL",scope="Service",service="quoted \"\\ name"} 6@120`],
  },
  {
    title: 'a raw string',
    query: 'service_cpm{service=`quoted "\\ name`,layer=`GENERAL`}',
    time: M2,
    result: ['vector', String.raw`service_cpm{layer="GENERAL",scope="Service",service="quoted \"\\ name"} 6@120`],
  },
  {
    title: 'comments and line breaks',
    query: `${SA} # the newest\n / # half\n 2`,
    time: M2,
    result: ['vector', `service_cpm{${A}} 1@120`],
  },
  {
    title: 'scope and name repeated in the braces',
    query: "service_cpm{__name__='service_cpm',scope='Service',service='A',layer='GENERAL'}",
    time: M2,
    result: ['vector', `service_cpm{${A}} 2@120`],
  },
]);
