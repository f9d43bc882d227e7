import {
  GatewayError,
  type HttpRequest,
  type PluginLimits,
  type Reply,
  type Route,
  type Routes,
  type SeenWindow,
} from '../../../core/api/plugin.js';
import {parameterProblem, quote} from '../../../core/toolkit/messages.js';
import {SECONDS_PER_DAY, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {cooperate, pause} from '../../../core/toolkit/yielder.js';
import {evaluate} from '../engine/evaluate.js';
import {fitWindow} from '../engine/window.js';
import {print} from '../language/print.js';
import {QueryCache} from '../language/query-cache.js';
import {labelNames} from '../metadata/label-names.js';
import {labelValues} from '../metadata/label-values.js';
import {metricMetadata} from '../metadata/metric-metadata.js';
import {cut, DEFAULT_LIMIT, unescapeLabel} from '../metadata/name-lists.js';
import {seriesMaps} from '../metadata/series.js';
import {parseMatches, type SeriesSelector} from '../metadata/series-selector.js';
import {catalogOf} from '../model/catalog.js';
import type {StorageReaders} from '../model/storage-readers.js';
import {KeptLists} from './kept-lists.js';
import {boundOf, limitOf, required, requiredBound, requiredTime, timeOf} from './parameters.js';
import {instantReply, jsonReply, listReply, namesReply, rangeReply, type TextReply} from './respond.js';

interface Context {
  readonly storage: StorageReaders;
  readonly limits: PluginLimits;
  readonly queries: QueryCache;
  readonly lists: KeptLists;
}

/** The endpoints: parameters in, one call into the engine or the metadata, reply out. */
export function prometheusRoutes(routes: Routes, storage: StorageReaders, limits: PluginLimits): void {
  const lists = new KeptLists(storage.metadata);
  const context: Context = {storage, limits, queries: new QueryCache(limits), lists};
  const add = (methods: Route['methods'], path: string, answer: Answer): void =>
    routes.add({methods, path}, request => answer(request, context));
  const kept = (target: string): Reply | undefined => lists.ready(target);
  const addList = (methods: Route['methods'], path: string, answer: Answer): void =>
    routes.add({methods, path, kept}, request => answer(request, context));
  add(GET_OR_POST, '/api/v1/query', instantQuery);
  add(GET_OR_POST, '/api/v1/query_range', rangeQuery);
  addList(GET_OR_POST, '/api/v1/series', listSeries);
  addList(GET_OR_POST, '/api/v1/labels', listLabels);
  addList(['GET'], '/api/v1/label/:name/values', listLabelValues);
  add(['GET'], '/api/v1/metadata', listMetadata);
  add(GET_OR_POST, '/api/v1/format_query', formatQuery);
  routes.add({methods: GET_OR_POST, path: '/api/v1/status/buildinfo', work: 'light'}, () => BUILD_INFO);
}

type Answer = (request: HttpRequest, context: Context) => Promise<Reply>;

const GET_OR_POST = ['GET', 'POST'] as const;

async function instantQuery(request: HttpRequest, {storage, queries}: Context): Promise<Reply> {
  const query = await queries.get(required(request, 'query'), request);
  const time = timeOf(request.parameters, 'time') ?? now();
  const value = await evaluate(query, Math.floor(time), storage, request);
  return cooperate(instantReply(value, time), request);
}

async function rangeQuery(request: HttpRequest, {storage, queries}: Context): Promise<Reply> {
  const query = await queries.get(required(request, 'query'), request);
  const {start, end} = requiredRange(request, requiredTime);
  const window = fitWindow(Math.floor(start), Math.floor(end));
  const value = await evaluate(query, window, storage, request);
  return cooperate(rangeReply(value, window), request);
}

async function listSeries(request: HttpRequest, {storage, limits, lists}: Context): Promise<Reply> {
  required(request, 'match[]');
  const {start, end} = requiredRange(request, requiredBound);
  // Seen is counted in minutes.
  const seen = {from: floorTo(start, SECONDS_PER_MINUTE), to: floorTo(end, SECONDS_PER_MINUTE)};
  const limit = limitOf(request.parameters);
  const version = lists.version(seen);
  const catalog = catalogOf(await storage.metrics.catalog(request));
  const key = keyOf('series', request, seen.from, seen.to, limit);
  const source = {key, version, catalog: catalog.metrics, seen, target: targetOf(request)};
  return lists.answer(source, async () => {
    const selectors = await selectorsOf(request, limits);
    const {listNames: most} = limits;
    const maps = await seriesMaps({selectors, seen, limit, most}, catalog, storage.metadata, request);
    return listReply(cut(maps, most), warningsOf(maps, limits));
  });
}

async function listLabels(request: HttpRequest, {storage, limits, lists}: Context): Promise<Reply> {
  boundOf(request.parameters, 'end');
  const limit = limitOf(request.parameters) ?? DEFAULT_LIMIT;
  const version = lists.version();
  const catalog = catalogOf(await storage.metrics.catalog(request));
  const source = {
    key: keyOf('labels', request, limit),
    version,
    catalog: catalog.metrics,
    target: targetOf(request),
  };
  return lists.answer(source, async () => {
    const selectors = await selectorsOf(request, limits);
    const names = cut(await labelNames(selectors, catalog, storage.metadata, request), limit);
    return cooperate(namesReply(cut(names, limits.listNames), warningsOf(names, limits)), request);
  });
}

async function listLabelValues(request: HttpRequest, {storage, limits, lists}: Context): Promise<Reply> {
  const label = unescapeLabel(request.path.name ?? '');
  if (label === '') {
    throw new GatewayError('bad_request', 'the path names no label: write /api/v1/label/NAME/values');
  }
  const time = now();
  const end = boundOf(request.parameters, 'end') ?? time;
  const seen = dayOf(Math.min(end, time));
  const limit = limitOf(request.parameters);
  const version = lists.version(seen);
  const catalog = catalogOf(await storage.metrics.catalog(request));
  const make = async (): Promise<TextReply> => {
    const selectors = await selectorsOf(request, limits);
    const {listNames: most} = limits;
    const values = await labelValues({label, selectors, seen, limit, most}, catalog, storage, request);
    return cooperate(namesReply(cut(values, most), warningsOf(values, limits)), request);
  };
  // Values of value labels come with samples: neither the catalog nor the entities tell of new ones.
  if (catalog.valueLabels.has(label)) return make();
  const key = keyOf('values', request, label, seen.from, limit);
  // A list of this day is one of the next day then.
  const until = end < time ? Number.POSITIVE_INFINITY : seen.from + SECONDS_PER_DAY;
  return lists.answer({key, version, catalog: catalog.metrics, seen, until, target: targetOf(request)}, make);
}

/** What makes up an answer besides what is stored. */
function keyOf(list: string, {parameters}: HttpRequest, ...rest: readonly (string | number | undefined)[]): string {
  return `${list}\0${rest.join('\0')}\0${parameters.all('match[]').join('\0')}`;
}

/** Undefined where a form may have more parameters. */
function targetOf({target, headers}: HttpRequest): string | undefined {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return hasBody ? undefined : target;
}

async function listMetadata(request: HttpRequest, {storage}: Context): Promise<Reply> {
  const limit = limitOf(request.parameters) ?? Number.POSITIVE_INFINITY;
  const pattern = request.parameters.first('metric');
  return jsonReply(metricMetadata(catalogOf(await storage.metrics.catalog(request)), pattern, limit));
}

async function formatQuery(request: HttpRequest, {queries}: Context): Promise<Reply> {
  const {expression} = await queries.get(required(request, 'query'), request);
  await pause(request);
  return jsonReply(print(expression));
}

function selectorsOf(request: HttpRequest, limits: PluginLimits): Promise<readonly SeriesSelector[]> {
  return parseMatches(request.parameters.all('match[]'), limits, request);
}

/** A list that is longer than one answer may be is cut, as with the parameter `limit`, and says so. */
function warningsOf(list: readonly string[], {listNames}: PluginLimits): readonly string[] {
  return list.length > listNames ? [`results truncated due to limits.listNames, ${listNames}`] : [];
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

function dayOf(time: number): SeenWindow {
  const from = floorTo(time, SECONDS_PER_DAY);
  return {from, to: from + SECONDS_PER_DAY - 1};
}

function floorTo(time: number, seconds: number): number {
  return Math.floor(time / seconds) * seconds;
}

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
    const problem = `which lies before "start" ${quote(parameters.first('start'))}`;
    throw new GatewayError('bad_request', parameterProblem('end', parameters.first('end'), problem));
  }
  return {start, end};
}
