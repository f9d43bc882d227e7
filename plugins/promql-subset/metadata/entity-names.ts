import type {HttpRequest, MetadataReader, NameHint, NamePages, SeenWindow} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import {type LabelTest, passesAll} from './series-selector.js';
import type {TrafficRequest} from './traffic-request.js';

/** How many names are tested between two pauses; a pattern may take a millisecond for one. */
const NAMES_A_STEP = 8;
/** From how many names on a list is heavy. */
const HEAVY_NAMES = 10_000;

/**
 * Names of the entities of one request, in the reader's order, at most `limit`. A name given by `=` is first taken as
 * it is, because real names contain bars; when nothing has that name, as alternatives between bars.
 */
export async function entityNames(
  request: TrafficRequest,
  seen: SeenWindow,
  limit: number,
  reader: MetadataReader,
  call: HttpRequest,
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
  call: HttpRequest,
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
  call: HttpRequest,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of source) {
    for (const [i, name] of page.entries()) {
      if (passesAll(tests, name)) names.push(name);
      if (names.length >= limit) return names;
      if (tests.length > 0 && i % NAMES_A_STEP === 0) await pause(call);
    }
    if (names.length > HEAVY_NAMES) await call.heavySlot();
    await pause(call);
  }
  return names;
}
