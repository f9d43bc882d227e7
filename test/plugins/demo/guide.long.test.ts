import test from 'ava';
import {FIRST_MINUTES} from '../../../plugins/demo/feed.js';
import {suggestions} from '../../../plugins/demo/guide.js';
import {compatSpans} from '../../../plugins/demo/shop/compat-spans.js';
import {minuteLines} from '../../../plugins/demo/shop/metric-records.js';
import {nativeSegments} from '../../../plugins/demo/shop/native-segments.js';
import {otlpRequest} from '../../../plugins/demo/shop/otlp-spans.js';
import {type Request, requestsOf} from '../../../plugins/demo/shop/requests.js';

const DAY = 24 * 60;
const minuteOf = (date: string): number => Date.parse(date) / 60_000;

/** Begins of days: an ordinary one, the last of a year, a leap day, and those after a month and a year. */
const DAYS = ['2026-11-28', '2026-12-31', '2027-01-01', '2028-02-29', '2028-03-01'];

/** An instant query takes the newest of two minutes. */
const INSTANT = 2;

const ADDRESSES = {
  metrics: 'http://m',
  traces: 'http://t',
  diagnostics: 'http://d',
  ingest: 'http://i',
  console: 'http://c',
};
const [example] = requestsOf(minuteOf('2026-01-01'));
if (example === undefined) throw new Error('no request is traced');
const COMMANDS = suggestions(ADDRESSES, example).map(({command}) => command);

type Line = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<string, string>> = {
  parent_service: 'service',
  dest_layer: 'destLayer',
  dest_service: 'destService',
};
const NOT_KEYS = ['top_n', 'order', 'p'];

/** What the metric queries select: the metric and the keys of its entities. */
const SELECTORS = COMMANDS.flatMap(command => {
  const [, metric, labels = ''] = /query=[^a-z]*([a-z_]+)\{(.*?)\}/.exec(command) ?? [];
  if (metric === undefined || command.includes('newcomer')) return [];
  const wanted = [...labels.matchAll(/(\w+)='([^']*)'/g)]
    .filter(([, label = '']) => !NOT_KEYS.includes(label))
    .map(([, label = '', value]) => [KEYS[label] ?? label, value] as const);
  return [{metric, wanted}];
});

interface Searched {
  readonly service: string;
  readonly tags: ReadonlyMap<string, string>;
  readonly isError: boolean;
}

function compatSearched(request: Request): readonly Searched[] {
  type Span = {readonly localEndpoint: {readonly serviceName: string}; readonly tags: Record<string, string>};
  return ([...compatSpans(request)] as Span[]).map(({localEndpoint, tags}) => ({
    service: localEndpoint.serviceName,
    tags: new Map(Object.entries(tags)),
    isError: 'error' in tags,
  }));
}

function nativeSearched(request: Request): readonly Searched[] {
  type Pair = {readonly key: string; readonly value: string};
  type Segment = {
    readonly service: string;
    readonly spans: readonly {readonly tags: Pair[]; readonly isError: boolean}[];
  };
  return ([...nativeSegments(request)] as Segment[]).flatMap(({service, spans}) =>
    spans.map(({tags, isError}) => ({service, tags: new Map(tags.map(({key, value}) => [key, value])), isError})),
  );
}

function otlpSearched(request: Request): readonly Searched[] {
  type Attribute = {readonly key: string; readonly value: object};
  type Group = {
    readonly resource: {readonly attributes: readonly Attribute[]};
    readonly scopeSpans: readonly {
      readonly spans: readonly {readonly attributes: readonly Attribute[]; readonly status?: object}[];
    }[];
  };
  const mapOf = (attributes: readonly Attribute[]): ReadonlyMap<string, string> =>
    new Map(attributes.map(({key, value}) => [key, String(Object.values(value)[0])]));
  const {resourceSpans} = otlpRequest([request]) as {readonly resourceSpans: readonly Group[]};
  return resourceSpans.flatMap(({resource, scopeSpans}) =>
    scopeSpans.flatMap(({spans}) =>
      spans.map(({attributes, status}) => ({
        service: mapOf(resource.attributes).get('service.name') ?? '',
        tags: mapOf(attributes),
        isError: status !== undefined,
      })),
    ),
  );
}

const SEARCHED = {compat: compatSearched, native: nativeSearched, otlp: otlpSearched} as const;

/** Whether a search of the guide finds a request. */
const SEARCHES = COMMANDS.flatMap(command => {
  const [, kind, query = ''] = /\/(compat|native|otlp)\/api\/search --data-urlencode 'q=\{(.*?)\}'/.exec(command) ?? [];
  if (kind === undefined) return [];
  const conditions = query.split(' && ').map(text => /^(?:resource\.|span\.)?(.*?)="?(.*?)"?$/.exec(text) ?? []);
  const least = Number(/minDuration=(\d+)ms/.exec(command)?.[1] ?? 0) * 1000;
  const finds = (request: Request): boolean => {
    const spans = SEARCHED[kind as keyof typeof SEARCHED](request);
    const isLong = request.visit.end - request.visit.start >= least;
    return isLong && spans.some(span => conditions.every(([, key = '', value = '']) => holds(span, key, value)));
  };
  return [{command, finds}];
});

function holds({service, tags, isError}: Searched, key: string, value: string): boolean {
  if (key === 'service.name') return service === value;
  if (key === 'status') return isError === (value === 'error');
  return tags.get(key) === value;
}

test('the guide suggests queries of metrics and searches of traces that this test understands', t => {
  t.deepEqual(
    SELECTORS.map(({metric}) => metric),
    [...new Set(SELECTORS.map(({metric}) => metric))],
  );
  t.is(SELECTORS.length, COMMANDS.filter(command => /query=/.test(command) && !command.includes('newcomer')).length);
  t.is(SEARCHES.length, COMMANDS.filter(command => command.includes('/api/search ')).length);
  t.true(SELECTORS.length > 5 && SEARCHES.length > 2);
});

for (const day of DAYS) {
  test(`a demo that begins in any minute of ${day} finds what it suggests to search for`, t => {
    const begin = minuteOf(day);
    for (const {command, finds} of SEARCHES) {
      let newest = Number.NEGATIVE_INFINITY;
      const empty: string[] = [];
      for (let minute = begin - FIRST_MINUTES; minute < begin + DAY; minute++) {
        // The traces of a minute come with the next one.
        if (minute >= begin && minute - newest > FIRST_MINUTES) empty.push(new Date(minute * 60_000).toISOString());
        if (requestsOf(minute).some(finds)) newest = minute;
      }
      t.deepEqual(empty, [], command);
    }
  });
}

test('a demo has what it suggests to ask for in any minute of a day', t => {
  const begin = minuteOf('2028-02-29');
  const newest = SELECTORS.map(() => Number.NEGATIVE_INFINITY);
  const empty: string[] = [];
  for (let minute = begin - INSTANT; minute < begin + DAY; minute++) {
    const lines = [...minuteLines(minute)];
    for (const [i, {metric, wanted}] of SELECTORS.entries()) {
      const isThere = (text: string): boolean => {
        if (!text.includes(`"metric":"${metric}"`)) return false;
        const line = JSON.parse(text) as Line;
        return wanted.every(([key, value]) => line[key] === value);
      };
      // The newest minute may not have come yet.
      if (minute >= begin && minute - (newest[i] ?? 0) >= INSTANT) empty.push(`${metric} at ${minute - begin}`);
      if (lines.some(isThere)) newest[i] = minute;
    }
  }
  t.deepEqual(empty, []);
});
