import test from 'ava';
import {M2} from '../scene.js';
import {PCT_B, p, testRows} from './rows.js';

testRows(test, [
  {
    title: 'series sort by the text of their labels',
    query: PCT_B,
    time: M2,
    result: [
      'vector',
      ...['100', '50', '75'].map((v, i) => `service_percentile{${p(v).replace('"A"', '"B"')}} ${[35, 15, 15][i]}@120`),
    ],
  },
  {
    title: 'a value without data',
    query: "service_percentile{service='A',layer='GENERAL',p='33'}",
    time: M2,
    result: ['vector'],
  },
  {
    title: 'a blank filter filters nothing',
    query: `sum(service_percentile{service='A',layer='GENERAL',p=' '})`,
    time: M2,
    result: ['vector', '{} 60@120'],
  },
  {
    title: 'two filters intersect',
    query: "service_status{service='A',layer='GENERAL',method='GET',code='200,404'}",
    time: M2,
    result: ['vector', 'service_status{code="200",layer="GENERAL",method="GET",scope="Service",service="A"} 1@120'],
  },
  {
    title: 'a value that holds a comma is found by its text, beside the items of the list',
    query: "service_status{service='B',layer='GENERAL',method='GET,POST'}",
    time: M2,
    result: [
      'vector',
      'service_status{code="200",layer="GENERAL",method="GET,POST",scope="Service",service="B"} 7@120',
      'service_status{code="200",layer="GENERAL",method="POST",scope="Service",service="B"} 8@120',
    ],
  },
  {
    title: 'an instance',
    query: "service_instance_cpm{layer='GENERAL',service='A',service_instance='a-1'}",
    time: M2,
    result: [
      'vector',
      'service_instance_cpm{layer="GENERAL",scope="ServiceInstance",service="A",service_instance="a-1"} 2@120',
    ],
  },
  {
    title: 'an endpoint',
    query: "endpoint_cpm{layer='GENERAL',service='A',endpoint='GET:/songs'}",
    time: M2,
    result: ['vector', 'endpoint_cpm{endpoint="GET:/songs",layer="GENERAL",scope="Endpoint",service="A"} 7@120'],
  },
  {
    title: 'a relation of services',
    query: "service_relation_client_cpm{layer='GENERAL',service='A',dest_layer='GENERAL',dest_service='B'}",
    time: M2,
    result: [
      'vector',
      'service_relation_client_cpm{dest_layer="GENERAL",dest_service="B",layer="GENERAL",scope="ServiceRelation",service="A"} 11@120',
    ],
  },
  {
    title: 'a relation of instances',
    query:
      "service_instance_relation_client_cpm{layer='GENERAL',service='A',service_instance='a-1',dest_layer='GENERAL',dest_service='B',dest_service_instance='b-1'}",
    time: M2,
    result: [
      'vector',
      'service_instance_relation_client_cpm{dest_layer="GENERAL",dest_service="B",dest_service_instance="b-1",layer="GENERAL",scope="ServiceInstanceRelation",service="A",service_instance="a-1"} 12@120',
    ],
  },
  {
    title: 'a relation of endpoints',
    query:
      "endpoint_relation_cpm{layer='GENERAL',service='A',endpoint='GET:/songs',dest_layer='GENERAL',dest_service='B',dest_endpoint='GET:/b'}",
    time: M2,
    result: [
      'vector',
      'endpoint_relation_cpm{dest_endpoint="GET:/b",dest_layer="GENERAL",dest_service="B",endpoint="GET:/songs",layer="GENERAL",scope="EndpointRelation",service="A"} 13@120',
    ],
  },
]);
