import type {Zone} from '../base/format.js';

/** The state of the query page, as its address holds it. */
export interface QuerySettings {
  readonly expressions: readonly string[];
  /** As the language writes durations: `1h`. */
  readonly range: string;
  /** Unix seconds; undefined for now. */
  readonly end: number | undefined;
  readonly zone: Zone;
  /** A duration, empty for never. */
  readonly refresh: string;
  readonly stacked: boolean;
  readonly yesterday: boolean;
  /** The series that the legend has isolated. */
  readonly only: string;
}

export function settingsOf(query: URLSearchParams): QuerySettings {
  const end = Number(query.get('end'));
  return {
    expressions: query.getAll('expr').filter(each => each.trim() !== ''),
    range: query.get('range') ?? '1h',
    end: query.has('end') && Number.isFinite(end) && end > 0 ? end : undefined,
    zone: query.get('zone') === 'utc' ? 'utc' : 'local',
    refresh: query.get('refresh') ?? '',
    stacked: query.has('stacked'),
    yesterday: query.has('yesterday'),
    only: query.get('only') ?? '',
  };
}

const RANGES = ['5m', '15m', '30m', '1h', '3h', '6h', '12h', '1d', '2d', '7d', '30d'];
const REFRESHES = ['10s', '30s', '1m', '5m'];

export const RANGE_OPTIONS = RANGES.map(value => ({value, text: value}));
export const REFRESH_OPTIONS = [{value: '', text: 'Off'}, ...REFRESHES.map(value => ({value, text: value}))];
export const ZONE_OPTIONS = [
  {value: 'local', text: 'Local'},
  {value: 'utc', text: 'UTC'},
];
