import test from 'ava';
import {M0, M1, M2} from '../scene.js';
import {testRows} from './rows.js';

const inst = (service: string, name: string): string =>
  `service_instance_cpm{layer="GENERAL",scope="ServiceInstance",service="${service}",service_instance="${name}"}`;
const rec = (content: string): string =>
  `top_n_database_statement{layer="DATABASE",record="${content}",scope="Service",service="db"}`;
const TOP_OF_A = "service_instance_cpm{parent_service='A',layer='GENERAL',top_n='2',order='DES'}";
const RECORDS = "top_n_database_statement{parent_service='db',layer='DATABASE',top_n='3',order='DES'}";

testRows(test, [
  {
    title: 'ties by name, at the bucket of the time',
    query: TOP_OF_A,
    time: M2 + 30,
    result: ['vector', `${inst('A', 'a-2')} 4@120`, `${inst('A', 'a-3')} 4@120`],
  },
  {
    title: 'the mean over the window, at every bucket',
    query: "service_instance_cpm{layer='GENERAL',top_n='10',order='ASC'}",
    range: [M0, M2],
    result: [
      'matrix',
      `${inst('A', 'a-1')} 1.5@0 1.5@60 1.5@120`,
      `${inst('B', 'b-1')} 3@0 3@60 3@120`,
      `${inst('A', 'a-2')} 4@0 4@60 4@120`,
      `${inst('A', 'a-3')} 4@0 4@60 4@120`,
    ],
  },
  {
    title: 'the last bucket, whether or not it has data',
    query: TOP_OF_A,
    time: M2 + 100,
    result: ['vector', `${inst('A', 'a-2')} 4@180`, `${inst('A', 'a-3')} 4@180`],
  },
  {
    title: 'an empty parent is every service',
    query: "service_instance_cpm{parent_service='',layer='GENERAL',top_n='1',order='ASC'}",
    time: M2,
    result: ['vector', `${inst('A', 'a-1')} 1.5@120`],
  },
  {
    title: 'services rank as well',
    query: "service_cpm{layer='GENERAL',top_n='2',order='DES'}",
    range: [M0, M1],
    result: [
      'matrix',
      'service_cpm{layer="GENERAL",scope="Service",service="B"} 2@0 2@60',
      'service_cpm{layer="GENERAL",scope="Service",service="A"} 0.5@0 0.5@60',
    ],
  },
  {
    title: 'aggregated',
    query: `sum by (service) (service_instance_cpm{layer='GENERAL',top_n='10',order='DES'})`,
    time: M2,
    result: ['vector', '{service="A"} 9.5@120', '{service="B"} 3@120'],
  },
  {
    title: 'with itself',
    query: `${TOP_OF_A} - ${TOP_OF_A}`,
    time: M2,
    result: ['vector', `${inst('A', 'a-2')} 0@120`, `${inst('A', 'a-3')} 0@120`],
  },
  {
    title: 'compared with itself',
    query: `${TOP_OF_A} > bool ${TOP_OF_A}`,
    time: M2,
    result: ['vector', ...['a-2', 'a-3'].map(name => `${inst('A', name).replace('service_instance_cpm', '')} 0@120`)],
  },
  {
    title: 'over a range selector',
    query: `${TOP_OF_A}[1m]`,
    time: M2,
    result: ['matrix', `${inst('A', 'a-2')} 4@60 4@120`, `${inst('A', 'a-3')} 4@60 4@120`],
  },
  {
    title: 'an unknown parent',
    query: "service_instance_cpm{parent_service='ghost',layer='GENERAL',top_n='2',order='DES'}",
    time: M2,
    result: ['vector'],
  },
  {
    title: 'records, one series each, equal ones kept',
    query: RECORDS,
    time: M2,
    result: ['vector', `${rec('select 3')} 200@120`, `${rec('select 1')} 120@120`, `${rec('select 1')} 120@120`],
  },
  {
    title: 'records of the window only',
    query: RECORDS.replace('DES', 'ASC'),
    range: [M0, M0 + 59],
    result: ['matrix', `${rec('select 2')} 80@0`, `${rec('select 1')} 120@0`],
  },
  {title: 'records aggregate', query: `sum(${RECORDS})`, time: M2, result: ['vector', '{} 440@120']},
  {
    title: 'records of equal text pair in their order',
    query: `${RECORDS} - ${RECORDS}`,
    time: M2,
    result: ['vector', `${rec('select 3')} 0@120`, `${rec('select 1')} 0@120`, `${rec('select 1')} 0@120`],
  },
]);
