import {
  GatewayError,
  type Handler,
  type HttpRequest,
  type QueryLimits,
  type Reply,
  type Routes,
  type SpanFilter,
} from '../../../core/api/plugin.js';
import {cooperate, type Steps} from '../../../core/toolkit/yielder.js';
import type {QueryCondition} from '../language/ast.js';
import {parseQuery} from '../language/parse.js';
import {parsePartial} from '../language/partial-parse.js';
import {print} from '../language/print.js';
import {excerpt} from '../messages.js';
import {toFilter} from '../search/filter.js';
import {search} from '../search/search.js';
import {INTRINSIC_TAGS, RESOURCE_TAGS, type Scope, valuesOf, withoutTyped} from '../search/tag-names.js';
import {parseTags} from '../search/tags-parameter.js';
import type {TraceSource} from '../source.js';
import {prefersProtobuf} from './accept.js';
import {checkTimes, limitOf, scopeOf, traceDurationOf, windowOf} from './parameters.js';
import {jsonReply, searchReply, textReply} from './respond.js';
import {type Encoding, traceReply} from './trace-reply.js';

/** The settings of one kind of traces. */
export interface TraceqlConfig {
  /** Tags that the spans of a search result show. */
  readonly listResultTags: readonly string[];
  /** Milliseconds: how far back a request without a start looks. */
  readonly lookback: number;
}

const DEFAULT_TRACES = 20;
/** Fixed attributes of every listed span, whatever is configured. */
const COMPUTED: ReadonlySet<string> = new Set(['', 'service.name', 'span.kind']);

/** The endpoints of one kind of traces: parameters in, one call into the search or the source, reply out. */
export class Endpoints {
  readonly #source: TraceSource;
  readonly #lookback: number;
  readonly #resultTags: readonly string[];
  readonly #limits: QueryLimits;

  constructor(source: TraceSource, {listResultTags, lookback}: TraceqlConfig, limits: QueryLimits) {
    this.#source = source;
    this.#lookback = lookback;
    this.#resultTags = [...new Set(listResultTags.map(tag => tag.trim()))].filter(tag => !COMPUTED.has(tag));
    this.#limits = limits;
  }

  mount(routes: Routes): void {
    const get = (path: string, handler: Handler) => routes.add({methods: ['GET'], path, parameters: 'braces'}, handler);
    const light = (path: string, handler: Handler) => routes.add({methods: ['GET'], path, work: 'light'}, handler);
    get('/api/search', request => this.#search(request));
    get('/api/traces/:id', request => this.#trace(request, 'v1'));
    get('/api/v2/traces/:id', request => this.#trace(request, 'v2'));
    get('/api/search/tags', request => this.#tagsV1(request));
    get('/api/v2/search/tags', request => this.#tagsV2(request));
    get('/api/search/tag/:tag+/values', request => this.#valuesV1(request));
    get('/api/v2/search/tag/:tag+/values', request => this.#valuesV2(request));
    light('/api/status/buildinfo', () => BUILD_INFO);
    light('/api/echo', () => textReply('echo\n'));
    light('/ready', () => textReply('ready\n'));
    routes.add({methods: EVERY_METHOD, path: '/api/metrics/:endpoint+', work: 'light'}, refuseMetrics);
  }

  async #search(request: HttpRequest): Promise<Reply> {
    const {parameters} = request;
    const filter = await this.#filterOf(request);
    const window = windowOf(parameters, this.#lookback);
    const traceDuration = traceDurationOf(parameters);
    const limit = limitOf(parameters, DEFAULT_TRACES);
    return searchReply(search({filter, traceDuration, limit, ...window}, this.#source, request), this.#resultTags);
  }

  /** `q` where there is one; else the older `tags`. */
  async #filterOf(request: HttpRequest): Promise<SpanFilter> {
    const {parameters, log} = request;
    const [query, tags] = [parameters.first('q')?.trim(), parameters.first('tags')?.trim()];
    const parsed = query && parse(query, parseQuery(query, this.#limits), request);
    const conditions = parsed ? await parsed : tags ? parseTags(tags) : [];
    log.debug('searching', {query: print(conditions)});
    return toFilter(conditions, this.#source);
  }

  /** `q` on the endpoints that complete what is being typed. */
  #typed(request: HttpRequest): Promise<readonly QueryCondition[]> {
    const query = request.parameters.first('q') ?? '';
    return parse(query, parsePartial(query, this.#limits), request);
  }

  async #trace(request: HttpRequest, version: Encoding['version']): Promise<Reply> {
    const {path, parameters, headers} = request;
    checkTimes(parameters);
    const id = path.id ?? '';
    const trace = await this.#source.trace(id, request);
    if (trace === undefined) throw new GatewayError('not_found', `there is no trace '${excerpt(id)}'`);
    const isProtobuf = prefersProtobuf(String(headers.accept ?? ''));
    return traceReply(trace, {version, isProtobuf});
  }

  async #tagsV1(request: HttpRequest): Promise<Reply> {
    const {parameters} = request;
    const scope = scopeOf(parameters);
    const limit = limitOf(parameters, Number.MAX_SAFE_INTEGER);
    const window = windowOf(parameters, this.#lookback);
    const names = scope === undefined ? ['service.name'] : STATIC_TAGS[scope];
    const keys =
      scope === undefined || scope === 'span' ? await this.#source.tagKeys({filter: [], ...window}, request) : [];
    return jsonReply({tagNames: [...new Set([...names, ...keys])].slice(0, limit)});
  }

  async #tagsV2(request: HttpRequest): Promise<Reply> {
    const {parameters} = request;
    const wanted = scopeOf(parameters);
    const limit = limitOf(parameters, Number.MAX_SAFE_INTEGER);
    const window = windowOf(parameters, this.#lookback);
    const filter = toFilter(await this.#typed(request), this.#source);
    const scopes: {readonly name: Scope; readonly tags: readonly string[]}[] = [];
    for (const name of ['resource', 'span', 'intrinsic'] as const) {
      if (wanted !== undefined && wanted !== name) continue;
      const tags = name === 'span' ? await this.#source.tagKeys({filter, ...window}, request) : STATIC_TAGS[name];
      if (tags.length > 0) scopes.push({name, tags: tags.slice(0, limit)});
    }
    return jsonReply({scopes});
  }

  async #valuesV1(request: HttpRequest): Promise<Reply> {
    return jsonReply({tagValues: await this.#values(request, [])});
  }

  async #valuesV2(request: HttpRequest): Promise<Reply> {
    const values = await this.#values(request, await this.#typed(request));
    return jsonReply({tagValues: values.map(value => ({type: 'string', value}))});
  }

  async #values(request: HttpRequest, typed: readonly QueryCondition[]): Promise<readonly string[]> {
    const {path, parameters} = request;
    const limit = limitOf(parameters, Number.MAX_SAFE_INTEGER);
    const window = windowOf(parameters, this.#lookback);
    const attribute = valuesOf(path.tag ?? '');
    if (attribute === 'nothing') return [];
    if (attribute === 'statuses') return this.#source.statuses.slice(0, limit);
    const filter = toFilter(withoutTyped(typed, attribute), this.#source);
    const values = await this.#source.attributeValues({attribute, filter, limit, ...window}, request);
    return attribute.of === 'kind' ? values.map(value => value.toLowerCase()) : values;
  }
}

/** Reading a longer query text is heavy work. */
const LONG = 2048;

async function parse<Result>(text: string, steps: Steps<Result>, request: HttpRequest): Promise<Result> {
  if (text.length > LONG) await request.heavySlot();
  return cooperate(steps, request);
}

const EVERY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Tag names that do not depend on the spans. */
const STATIC_TAGS: Readonly<Record<Scope, readonly string[]>> = {
  resource: RESOURCE_TAGS,
  span: [],
  intrinsic: INTRINSIC_TAGS,
  event: [],
  link: [],
  instrumentation: [],
};

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
  const endpoint = excerpt(path.endpoint ?? '');
  throw new GatewayError('unsupported_backend', `metrics are not computed from traces here: /api/metrics/${endpoint}`);
}
