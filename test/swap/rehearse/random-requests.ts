import {recorded} from '../../core/rehearse/scene.js';
import {BUSY_HOUR, DAY, FIRST_DAY, SERVICES} from '../metric-records.js';
import {METRIC_REQUESTS} from '../metric-requests.js';
import {type Draw, drawFrom, pick} from '../random.js';
import type {SwapRequest} from '../request.js';
import {traceRequests} from '../trace-requests.js';

/** Metrics that are written while they are read. */
export const WRITTEN = ['service_avg', 'service_sum', 'service_latest'] as const;

const FIXED: readonly SwapRequest[] = [...METRIC_REQUESTS, ...traceRequests('compat'), ...traceRequests('native')];

/** What dashboards ask, lines of a recording: as they are, in other windows, and of what is being written. */
export function randomTraffic(count: number, seed: number): readonly string[] {
  const draw = drawFrom(seed);
  const now = Math.floor(Date.now() / 1000);
  return Array.from({length: count}, () => (draw(4) === 0 ? written(draw, now) : elsewhere(draw, pick(draw, FIXED))));
}

function line({listener, path, parameters = {}}: SwapRequest): string {
  const plugin = listener === 'metrics' ? 'promql-subset' : `traceql-${path.split('/')[1]}`;
  return recorded(plugin, path, parameters as Readonly<Record<string, string>>, new Date().toISOString());
}

/** The same in another window, half of the time. */
function elsewhere(draw: Draw, request: SwapRequest): string {
  const {start, end} = (request.parameters ?? {}) as Readonly<Record<string, string | undefined>>;
  if (start === undefined || end === undefined || draw(2) === 0) return line(request);
  const from = FIRST_DAY + draw(3 * DAY);
  return line({...request, parameters: {...request.parameters, start: String(from), end: String(from + draw(DAY))}});
}

/** Now, or in the hour for which late values come. */
function written(draw: Draw, now: number): string {
  const metric = pick(draw, WRITTEN);
  const end = draw(2) === 0 ? now : BUSY_HOUR + draw(3600);
  const start = end - pick(draw, [600, 3000, 7200, 20 * 3600, 3 * DAY]);
  const of = draw(3) === 0 ? "top_n='5',order='DES'" : `service=${JSON.stringify(pick(draw, SERVICES))}`;
  const query = `${metric}{layer='GENERAL',${of}}`;
  const parameters = draw(4) === 0 ? {query, time: String(end)} : {query, start: String(start), end: String(end)};
  return line({
    listener: 'metrics',
    path: `/api/v1/query${'time' in parameters ? '' : '_range'}`,
    parameters,
    finds: 'something',
  });
}
