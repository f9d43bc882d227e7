import {
  type Call,
  GatewayError,
  type HttpRequest,
  type PluginLimits,
  type Reply,
  type Routes,
} from '../../../core/api/plugin.js';
import {cooperate, pause} from '../../../core/toolkit/yielder.js';
import {evaluate, type Storage} from '../engine/evaluate.js';
import {fitWindow} from '../engine/window.js';
import {print} from '../language/print.js';
import {Expressions} from '../language/query-cache.js';
import {labelNames} from '../metadata/label-names.js';
import {labelValues} from '../metadata/label-values.js';
import {metricMetadata} from '../metadata/metric-metadata.js';
import {cut, DEFAULT_LIMIT, unescapeLabel} from '../metadata/name-lists.js';
import {seriesMaps} from '../metadata/series.js';
import {parseMatches, type SeriesSelector} from '../metadata/series-selector.js';
import {type Catalog, catalogOf} from '../model/catalog.js';
import {boundOf, limitOf, required, requiredBound, requiredTime, timeOf} from './parameters.js';
import {instantReply, jsonReply, listReply, namesReply, rangeReply} from './respond.js';

/** The endpoints: parameters in, one call into the engine or the metadata, reply out. */
export class Endpoints {
  readonly #storage: Storage;
  readonly #limits: PluginLimits;
  readonly #expressions: Expressions;

  constructor(storage: Storage, limits: PluginLimits) {
    this.#storage = storage;
    this.#limits = limits;
    this.#expressions = new Expressions(limits);
  }

  mount(routes: Routes): void {
    const methods = ['GET', 'POST'] as const;
    routes.add({methods, path: '/api/v1/query'}, request => this.#query(request));
    routes.add({methods, path: '/api/v1/query_range'}, request => this.#queryRange(request));
    routes.add({methods, path: '/api/v1/series'}, request => this.#series(request));
    routes.add({methods, path: '/api/v1/labels'}, request => this.#labels(request));
    routes.add({methods: ['GET'], path: '/api/v1/label/:name/values'}, request => this.#labelValues(request));
    routes.add({methods: ['GET'], path: '/api/v1/metadata'}, request => this.#metadata(request));
    routes.add({methods, path: '/api/v1/format_query'}, request => this.#formatQuery(request));
    routes.add({methods, path: '/api/v1/status/buildinfo', work: 'light'}, () => BUILD_INFO);
  }

  async #query(request: HttpRequest): Promise<Reply> {
    const {parameters} = request;
    const query = await this.#expressions.get(required(request, 'query'), request);
    const time = timeOf(parameters, 'time') ?? now();
    const value = await evaluate(query, {kind: 'instant', time: Math.floor(time)}, this.#storage, request);
    return cooperate(instantReply(value, time), request);
  }

  async #queryRange(request: HttpRequest): Promise<Reply> {
    const query = await this.#expressions.get(required(request, 'query'), request);
    const {start, end} = requiredRange(request, requiredTime);
    const window = fitWindow(Math.floor(start), Math.floor(end));
    const value = await evaluate(query, {kind: 'range', window}, this.#storage, request);
    return cooperate(rangeReply(value, window), request);
  }

  async #series(request: HttpRequest): Promise<Reply> {
    required(request, 'match[]');
    const selectors = await this.#selectors(request);
    const {start, end} = requiredRange(request, requiredBound);
    const seen = {from: Math.floor(start), to: Math.floor(end)};
    const limit = limitOf(request.parameters);
    const catalog = await this.#catalog(request);
    const {listNames: most} = this.#limits;
    const maps = await seriesMaps({selectors, seen, limit, most}, catalog, this.#storage.metadata, request);
    return listReply(cut(maps, most), this.#warningsOf(maps));
  }

  async #labels(request: HttpRequest): Promise<Reply> {
    const selectors = await this.#selectors(request);
    boundOf(request.parameters, 'end');
    const limit = limitOf(request.parameters) ?? DEFAULT_LIMIT;
    const catalog = await this.#catalog(request);
    const names = cut(await labelNames(selectors, catalog, this.#storage.metadata, request), limit);
    return cooperate(namesReply(cut(names, this.#limits.listNames), this.#warningsOf(names)), request);
  }

  async #labelValues(request: HttpRequest): Promise<Reply> {
    const label = unescapeLabel(request.path.name ?? '');
    if (label === '') {
      throw new GatewayError('bad_request', 'the path names no label: write /api/v1/label/NAME/values');
    }
    const selectors = await this.#selectors(request);
    const time = Math.floor(Math.min(boundOf(request.parameters, 'end') ?? now(), now()));
    const limit = limitOf(request.parameters);
    const catalog = await this.#catalog(request);
    const {listNames: most} = this.#limits;
    const values = await labelValues({label, selectors, time, limit, most}, catalog, this.#storage, request);
    return cooperate(namesReply(cut(values, most), this.#warningsOf(values)), request);
  }

  /** A list that is longer than one answer may be is cut, as with the parameter `limit`, and says so. */
  #warningsOf(list: readonly string[]): readonly string[] {
    const {listNames} = this.#limits;
    return list.length > listNames ? [`results truncated due to limits.listNames, ${listNames}`] : [];
  }

  async #metadata(request: HttpRequest): Promise<Reply> {
    const limit = limitOf(request.parameters) ?? Number.POSITIVE_INFINITY;
    const pattern = request.parameters.first('metric');
    return jsonReply(metricMetadata(await this.#catalog(request), pattern, limit));
  }

  async #formatQuery(request: HttpRequest): Promise<Reply> {
    const {expression} = await this.#expressions.get(required(request, 'query'), request);
    await pause(request);
    return jsonReply(print(expression));
  }

  #selectors(request: HttpRequest): Promise<readonly SeriesSelector[]> {
    return parseMatches(request.parameters.all('match[]'), this.#limits, request);
  }

  async #catalog(call: Call): Promise<Catalog> {
    return catalogOf(await this.#storage.metrics.catalog(call));
  }
}

/** A version by which clients tell what they may ask; without features, which would name another product. */
const BUILD_INFO = jsonReply({
  version: '2.45.0',
  revision: '',
  branch: '',
  buildUser: '',
  buildDate: '',
  goVersion: '',
});

function now(): number {
  return Date.now() / 1000;
}

function requiredRange(
  request: HttpRequest,
  timeOf: typeof requiredTime,
): {readonly start: number; readonly end: number} {
  const {parameters} = request;
  const start = timeOf(request, 'start');
  const end = timeOf(request, 'end');
  if (end < start) {
    const message = `'end' ${parameters.first('end')} lies before 'start' ${parameters.first('start')}`;
    throw new GatewayError('bad_request', message);
  }
  return {start, end};
}
