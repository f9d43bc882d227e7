import type {Call, MetadataReader, NameHint, NamePages, SeenWindow} from '../../../core/api/plugin.js';
import {type LabelTest, passesAll} from './selector.js';
import type {TrafficRequest} from './traffic.js';
import {Turns} from './turns.js';

/**
 * Names of the entities of one request, in the reader's order, at most `limit`. A name given by `=` is first taken as
 * it is, because real names contain bars; when nothing has that name, as alternatives between bars.
 */
export async function entityNames(
  request: TrafficRequest,
  seen: SeenWindow,
  limit: number,
  reader: MetadataReader,
  call: Call,
): Promise<readonly string[]> {
  const {nameTests} = request;
  const exact = await take(pages(request, seen, hintOf(nameTests), reader, call), nameTests, limit, call);
  const split = nameTests.find(({operator, value}) => operator === '=' && value.includes('|'));
  if (exact.length > 0 || split === undefined) return exact;
  const oneOf = split.value.split('|');
  const tests = nameTests.map(test =>
    test === split ? {...test, test: (name: string) => oneOf.includes(name)} : test,
  );
  return take(pages(request, seen, {oneOf}, reader, call), tests, limit, call);
}

/** Tells the reader what it need not send; regular expressions only where they are plain alternatives. */
function hintOf(tests: readonly LabelTest[]): NameHint | undefined {
  for (const {operator, value} of tests) {
    if (operator === '=') return {equals: value};
    if (operator === '=~' && /^[\w\- :/@]+(?:\|[\w\- :/@]+)*$/.test(value)) return {oneOf: value.split('|')};
  }
  return undefined;
}

function pages(
  {metric, layer, service, keyword}: TrafficRequest,
  seen: SeenWindow,
  name: NameHint | undefined,
  reader: MetadataReader,
  call: Call,
): NamePages {
  const hint = name === undefined ? {} : {name};
  switch (metric.name) {
    case 'service_traffic':
      return reader.services({layer, ...hint}, call);
    case 'instance_traffic':
      return reader.instances({layer, service, seen, ...hint}, call);
    case 'endpoint_traffic':
      return reader.endpoints({layer, service, seen, keyword, ...hint}, call);
  }
}

async function take(
  source: NamePages,
  tests: readonly LabelTest[],
  limit: number,
  call: Call,
): Promise<readonly string[]> {
  const names: string[] = [];
  const turns = new Turns(call);
  for await (const page of source) {
    for (const name of page) {
      if (passesAll(tests, name)) names.push(name);
      if (names.length >= limit) return names;
      if (tests.length > 0 && turns.isOver) await turns.yield();
    }
  }
  return names;
}
