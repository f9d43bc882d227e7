import {
  type BucketWindow,
  type Call,
  ENTITY_KEYS,
  type Entity,
  GatewayError,
  type MetadataReader,
  type MetricDefinition,
  type MetricReader,
  type Parameters,
  RELATION_SCOPES,
  type RelationScope,
  STEP_SECONDS,
  type Step,
  type TopologyReader,
} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {SECONDS_PER_DAY, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';

/** What a picture of the services is made of; each is absent where the storage does not supply it. */
export interface TopologyReaders {
  readonly topology: TopologyReader | undefined;
  readonly metrics: MetricReader | undefined;
  readonly metadata: MetadataReader | undefined;
}

/** More lines than this show nothing to anybody. */
const MOST_RELATIONS = 2000;
const MOST_SERVICES = 1000;
/** Reads of values that are under way at once. */
const AT_ONCE = 16;

/** What is known of a node or a line in the window: means over it, absent where no metric tells. */
interface Numbers {
  /** Calls per minute. */
  calls?: number;
  /** Share of calls that failed, from 0 to 1. */
  errors?: number;
  /** Milliseconds. */
  latency?: number;
}

/** The relations of a scope with their numbers, and the services that exist. */
export async function topologyOf(
  {topology, metrics, metadata}: TopologyReaders,
  parameters: Parameters,
  call: Call,
): Promise<object> {
  if (topology === undefined) {
    throw new GatewayError(
      'unsupported_backend',
      'the storage does not supply topology.query.v1: it does not tell who calls whom',
    );
  }
  const scope = scopeOf(parameters.first('scope'));
  const window = windowOf(parameters);
  const [layer, service] = [parameters.first('layer'), parameters.first('service')];
  if ((layer === undefined) !== (service === undefined)) {
    const [given, missing] = layer === undefined ? ['service', 'layer'] : ['layer', 'service'];
    throw new GatewayError('bad_request', `${given}: a service has a layer and a name, and there is no ${missing}`);
  }
  const of = layer !== undefined && service !== undefined ? {of: {layer, service}} : {};
  const found = await topology.relations({scope, window, ...of, limit: MOST_RELATIONS + 1}, call);
  const relations = found.slice(0, MOST_RELATIONS);
  const services = scope === 'ServiceRelation' ? await servicesOf(metadata, call) : [];
  const catalog = metrics === undefined ? [] : await metrics.catalog(call);
  const numbers = async (kind: 'Service' | RelationScope, entities: readonly Entity[]): Promise<readonly object[]> => {
    const wanted = metricsOf(catalog, kind);
    return inTurns(entities, async entity => ({
      ...entity,
      ...(metrics && (await read(metrics, wanted, entity, window, call))),
    }));
  };
  return {
    scope,
    window,
    isCut: found.length > relations.length,
    relations: await numbers(scope, relations),
    services: await numbers('Service', services),
  };
}

function scopeOf(text = 'ServiceRelation'): RelationScope {
  const scope = RELATION_SCOPES.find(each => each === text);
  if (scope !== undefined) return scope;
  throw new GatewayError('bad_request', `scope: found ${quote(text)}, expected one of ${RELATION_SCOPES.join(', ')}`);
}

/** Buckets as coarse as suits the range: what is read is then a few dozen of each. */
function windowOf(parameters: Parameters): BucketWindow {
  const range = numberOf(parameters, 'range', SECONDS_PER_HOUR);
  const end = numberOf(parameters, 'end', Math.floor(Date.now() / 1000));
  const step = bucketStepOf(range);
  const size = STEP_SECONDS[step];
  const last = Math.floor(end / size) * size;
  const first = Math.floor((end - range) / size) * size;
  return {step, first, count: Math.max(1, (last - first) / size + 1)};
}

/** Of a range in seconds. */
export function bucketStepOf(range: number): Step {
  if (range <= SECONDS_PER_HOUR) return 'minute';
  return range <= 3 * SECONDS_PER_DAY ? 'hour' : 'day';
}

function numberOf(parameters: Parameters, name: string, otherwise: number): number {
  const text = parameters.first(name);
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(value) && value > 0 && value <= 1e11) return value;
  throw new GatewayError('bad_request', `${name}: found ${quote(text ?? '')}, expected a whole number of seconds`);
}

async function servicesOf(metadata: MetadataReader | undefined, call: Call): Promise<readonly Entity[]> {
  const services: Entity[] = [];
  for (const layer of (await metadata?.layers(call)) ?? []) {
    for await (const page of metadata?.services({layer}, call) ?? []) {
      for (const service of page) services.push({layer, service});
      if (services.length >= MOST_SERVICES) return services.slice(0, MOST_SERVICES);
    }
  }
  return services;
}

interface Wanted {
  readonly key: keyof Numbers;
  readonly metrics: readonly MetricDefinition[];
  readonly scale: (value: number) => number;
}

/** Hundredths of a percent of good calls: how the analysis of agents counts success. */
const WHOLE = 10_000;

const NUMBERS: readonly {
  readonly key: keyof Numbers;
  readonly name: RegExp;
  readonly scale: (value: number) => number;
}[] = [
  {key: 'calls', name: /_cpm$/, scale: value => value},
  {key: 'errors', name: /_sla$/, scale: value => Math.min(1, Math.max(0, 1 - value / WHOLE))},
  {key: 'latency', name: /_resp_time$/, scale: value => value},
];

/** The metrics that tell the numbers of a scope, by what they are called in every deployment; the caller's side first. */
function metricsOf(catalog: readonly MetricDefinition[], scope: string): readonly Wanted[] {
  const own = catalog.filter(metric => metric.scope === scope && metric.kind === 'common');
  const rank = ({name}: MetricDefinition): number =>
    (/^(service|endpoint)_/.test(name) ? 0 : 2) + (name.includes('_server_') ? 1 : 0);
  return NUMBERS.map(({key, name, scale}) => ({
    key,
    scale,
    metrics: own.filter(metric => name.test(metric.name)).sort((a, b) => rank(a) - rank(b)),
  }));
}

async function read(
  reader: MetricReader,
  wanted: readonly Wanted[],
  entity: Entity,
  window: BucketWindow,
  call: Call,
): Promise<Numbers> {
  const numbers: Numbers = {};
  for (const {key, metrics, scale} of wanted) {
    for (const metric of metrics) {
      const [column] = await reader.values({metric, entity, valueFilters: new Map(), window}, call);
      const mean = column && meanOf(column.values, column.present);
      if (mean === undefined) continue;
      numbers[key] = scale(mean);
      break;
    }
  }
  return numbers;
}

function meanOf(values: Float64Array, present: Uint8Array): number | undefined {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (present[i] !== 1) continue;
    sum += values[i] ?? 0;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

async function inTurns<T, U>(items: readonly T[], work: (item: T) => Promise<U>): Promise<readonly U[]> {
  const done: U[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE)
    done.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))));
  return done;
}

/** The metrics that exist, of one scope or of all. */
export async function metricList(
  {metrics}: TopologyReaders,
  parameters: Parameters,
  call: Call,
): Promise<readonly object[]> {
  const scope = parameters.first('scope');
  if (scope !== undefined && !Object.hasOwn(ENTITY_KEYS, scope)) {
    const known = Object.keys(ENTITY_KEYS).join(', ');
    throw new GatewayError('bad_request', `scope: found ${quote(scope)}, expected one of ${known}`);
  }
  const catalog = metrics === undefined ? [] : await metrics.catalog(call);
  return catalog
    .filter(metric => scope === undefined || metric.scope === scope)
    .map(({name, scope: own, kind, unit, help, valueLabels}) => ({name, scope: own, kind, unit, help, valueLabels}));
}
