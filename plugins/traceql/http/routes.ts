import {
  GatewayError,
  type Handler,
  type HttpRequest,
  type OtlpFilter,
  type OtlpValueType,
  type QueryLimits,
  type Reply,
  type Routes,
  type TypedText,
} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {cooperate} from '../../../core/toolkit/yielder.js';
import type {TraceqlConfig} from '../config.js';
import type {QueryCondition} from '../language/ast.js';
import {parsePartial} from '../language/partial-parse.js';
import {print} from '../language/print.js';
import type {TraceForm} from '../otlp/form.js';
import {toFilter} from '../search/filter.js';
import {searchTraces} from '../search/search.js';
import {INTRINSIC_TAGS, RESOURCE_TAGS, type TagScope, valuesOf, withoutTyped} from '../search/tag-names.js';
import {parseTags} from '../search/tags-parameter.js';
import type {TraceSource} from '../source.js';
import {prefersProtobuf} from './accept.js';
import {KnownQueries, LONG_QUERY} from './known-queries.js';
import {checkTimes, limitOf, scopeOf, traceDurationOf, windowOf} from './parameters.js';
import {jsonReply, searchReply, textReply} from './respond.js';
import {traceReply} from './trace-reply.js';

interface Context<Trace = unknown> {
  readonly source: TraceSource<Trace>;
  readonly lookback: number;
  /** Tags that listed spans show, each once. */
  readonly resultTags: readonly string[];
  readonly limits: QueryLimits;
  readonly queries: KnownQueries;
}

const DEFAULT_TRACES = 20;
/** Fixed attributes of every listed span, whatever is configured. */
const COMPUTED: ReadonlySet<string> = new Set(['', 'service.name', 'span.kind']);

/** The endpoints of one kind of traces: parameters in, one call into the search or the reader, reply out. */
export function tempoRoutes<Trace>(
  routes: Routes,
  source: TraceSource<Trace>,
  {listResultTags, lookback}: TraceqlConfig,
  limits: QueryLimits,
): void {
  const resultTags = [...new Set(listResultTags.map(tag => tag.trim()))].filter(tag => !COMPUTED.has(tag));
  const queries = new KnownQueries(limits, source.subset);
  const context: Context<Trace> = {source, lookback, resultTags, limits, queries};
  const get = (path: string, handler: Handler) => routes.add({methods: ['GET'], path, parameters: 'braces'}, handler);
  const light = (path: string, handler: Handler) => routes.add({methods: ['GET'], path, work: 'light'}, handler);
  get('/api/search', request => search(request, context));
  get('/api/traces/:id', request => traceById(request, 'v1', context));
  get('/api/v2/traces/:id', request => traceById(request, 'v2', context));
  get('/api/search/tags', request => tagsV1(request, context));
  get('/api/v2/search/tags', request => tagsV2(request, context));
  get('/api/search/tag/:tag+/values', request => valuesV1(request, context));
  get('/api/v2/search/tag/:tag+/values', request => valuesV2(request, context));
  light('/api/status/buildinfo', () => BUILD_INFO);
  light('/api/echo', () => textReply('echo\n'));
  light('/ready', () => textReply('ready\n'));
  routes.add({methods: EVERY_METHOD, path: '/api/metrics/:endpoint+', work: 'light'}, refuseMetrics);
}

const EVERY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

async function search<Trace>(request: HttpRequest, context: Context<Trace>): Promise<Reply> {
  const {parameters} = request;
  const {source, lookback, resultTags} = context;
  const filter = await filterOf(request, context);
  const window = windowOf(parameters, lookback);
  const traceDuration = traceDurationOf(parameters);
  const limit = limitOf(parameters, DEFAULT_TRACES);
  return searchReply(searchTraces({filter, traceDuration, limit, ...window}, source, request), resultTags);
}

/** `q` where there is one; else the older `tags`. */
async function filterOf(request: HttpRequest, {source, queries}: Context): Promise<OtlpFilter> {
  const {parameters, log} = request;
  const query = parameters.first('q')?.trim();
  if (query) {
    const {conditions, printed} = await queries.get(query, request);
    log.debug('searching', {query: printed});
    return toFilter(conditions, source);
  }
  const tags = parameters.first('tags')?.trim();
  const conditions = tags ? parseTags(tags, source.subset) : [];
  log.debug('searching', {query: print(conditions)});
  return toFilter(conditions, source);
}

async function traceById<Trace>(
  request: HttpRequest,
  version: TraceForm['version'],
  {source}: Context<Trace>,
): Promise<Reply> {
  const {path, parameters, headers} = request;
  checkTimes(parameters);
  const id = path.id ?? '';
  const form = {version, isProtobuf: prefersProtobuf(String(headers.accept ?? ''))};
  const pieces = await source.answer(source.storedId(id), form, request);
  if (pieces === undefined) throw new GatewayError('not_found', `there is no trace ${quote(id)}`);
  return traceReply(pieces, form, request);
}

async function tagsV1(request: HttpRequest, {source, lookback}: Context): Promise<Reply> {
  const {parameters} = request;
  const scope = scopeOf(parameters);
  const limit = limitOf(parameters, Number.MAX_SAFE_INTEGER);
  const window = windowOf(parameters, lookback);
  const names = new Set(scope === undefined ? ['service.name'] : STATIC_TAGS[scope]);
  for (const asked of ['resource', 'span'] as const) {
    if (scope !== undefined && scope !== asked) continue;
    for (const key of await source.reader.tagKeys({scope: asked, filter: [], ...window}, request)) names.add(key);
  }
  names.delete(NAMELESS);
  return jsonReply({tagNames: [...names].slice(0, limit)});
}

async function tagsV2(request: HttpRequest, context: Context): Promise<Reply> {
  const {parameters} = request;
  const {source, lookback} = context;
  const wanted = scopeOf(parameters);
  const limit = limitOf(parameters, Number.MAX_SAFE_INTEGER);
  const window = windowOf(parameters, lookback);
  const filter = toFilter(await typed(request, context), source);
  const scopes: {readonly name: TagScope; readonly tags: readonly string[]}[] = [];
  for (const name of ['resource', 'span', 'intrinsic'] as const) {
    if (wanted !== undefined && wanted !== name) continue;
    const keys = name === 'intrinsic' ? [] : await source.reader.tagKeys({scope: name, filter, ...window}, request);
    const tags = [...new Set([...STATIC_TAGS[name], ...keys.filter(key => key !== NAMELESS)])];
    if (tags.length > 0) scopes.push({name, tags: tags.slice(0, limit)});
  }
  return jsonReply({scopes});
}

/** Senders may store a tag by it, but no query names it. */
const NAMELESS = '';

/** Tag names that do not depend on the spans; they come first. */
const STATIC_TAGS: Readonly<Record<TagScope, readonly string[]>> = {
  resource: RESOURCE_TAGS,
  span: [],
  intrinsic: INTRINSIC_TAGS,
  event: [],
  link: [],
  instrumentation: [],
};

/** A text that occurs with several types is one value here. */
async function valuesV1(request: HttpRequest, context: Context): Promise<Reply> {
  const limit = limitOf(request.parameters, Number.MAX_SAFE_INTEGER);
  const values = await tagValues(
    request,
    [],
    Math.min(limit * context.source.valueTypes, Number.MAX_SAFE_INTEGER),
    context,
  );
  return jsonReply({tagValues: [...new Set(values.map(({text}) => text))].slice(0, limit)});
}

async function valuesV2(request: HttpRequest, context: Context): Promise<Reply> {
  const limit = limitOf(request.parameters, Number.MAX_SAFE_INTEGER);
  const values = await tagValues(request, await typed(request, context), limit, context);
  return jsonReply({tagValues: values.map(value => ({type: typeOf(value), value: value.text}))});
}

/** As the API calls types. */
const TYPES: Readonly<Record<OtlpValueType, string>> = {bool: 'bool', double: 'float', int: 'int', string: 'string'};

/** Clients put quotes around texts alone, and a query takes no number that is not finite without them. */
function typeOf({type, text}: TypedText): string {
  return type === 'double' && !Number.isFinite(Number(text)) ? TYPES.string : TYPES[type];
}

async function tagValues(
  request: HttpRequest,
  conditions: readonly QueryCondition[],
  limit: number,
  {source, lookback}: Context,
): Promise<readonly TypedText[]> {
  const {path, parameters} = request;
  const window = windowOf(parameters, lookback);
  const attribute = valuesOf(path.tag ?? '', source.subset);
  if (attribute === 'nothing') return [];
  if (attribute === 'statuses') return source.statuses.slice(0, limit).map(text => ({type: 'string', text}));
  const filter = toFilter(withoutTyped(conditions, attribute), source);
  const values = await source.reader.attributeValues({attribute, filter, limit, ...window}, request);
  return attribute.of === 'kind' ? values.map(({type, text}) => ({type, text: text.toLowerCase()})) : values;
}

/** `q` on the endpoints that complete what is being typed. */
async function typed(request: HttpRequest, {limits, source}: Context): Promise<readonly QueryCondition[]> {
  const query = request.parameters.first('q') ?? '';
  if (query.length > LONG_QUERY) await request.heavySlot();
  return cooperate(parsePartial(query, limits, source.subset), request);
}

/** The version of the API by which clients tell what they may ask. */
const BUILD_INFO = jsonReply({
  version: 'v2.9.0',
  revision: '',
  branch: '',
  buildUser: '',
  buildDate: '',
  goVersion: '',
});

function refuseMetrics({path}: HttpRequest): never {
  const endpoint = quote(`/api/metrics/${path.endpoint ?? ''}`);
  throw new GatewayError('unsupported_backend', `metrics are not computed from traces here: ${endpoint}`);
}
