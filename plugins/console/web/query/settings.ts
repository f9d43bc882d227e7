import {secondsOf} from '../base/durations.js';
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
  /** What the address holds and nobody understands, and what is used in its place. */
  readonly complaints: readonly string[];
}

const DAY = 86_400;
/** Seconds: beyond a hundred years no value is. */
const LONGEST = 36_525 * DAY;
/** Unix seconds: the last second that is written with a year of four digits. */
const LAST = 253_402_300_799;

export function settingsOf(query: URLSearchParams): QuerySettings {
  const complaints: string[] = [];
  /** The value as it is written if it is one, else the default, which is shown under a name. */
  const read = (name: string, isOne: (text: string) => boolean, otherwise: string, shown = otherwise): string => {
    const text = query.get(name) ?? '';
    if (text === '' || isOne(text)) return text || otherwise;
    complaints.push(`The address has ${name}=${text}, which is not understood: ${shown} is used.`);
    return otherwise;
  };
  const isOn = (name: string): boolean => read(name, text => text === '1', '', 'off') === '1';
  const end = read('end', isMoment, '', 'now');
  return {
    expressions: query.getAll('expr').filter(each => each.trim() !== ''),
    range: read('range', text => isWithin(text, 1, LONGEST), '1h'),
    end: end === '' ? undefined : Number(end),
    zone: read('zone', text => text === 'utc' || text === 'local', 'local') as Zone,
    // A timer of a browser counts no further than some weeks.
    refresh: read('refresh', text => isWithin(text, 1, DAY), '', 'off'),
    stacked: isOn('stacked'),
    yesterday: isOn('yesterday'),
    only: query.get('only') ?? '',
    complaints,
  };
}

function isWithin(text: string, least: number, most: number): boolean {
  const seconds = secondsOf(text);
  return seconds !== undefined && seconds >= least && seconds <= most;
}

function isMoment(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= LAST;
}

const RANGES = ['5m', '15m', '30m', '1h', '3h', '6h', '12h', '1d', '2d', '7d', '30d'];
const REFRESHES = ['10s', '30s', '1m', '5m'];

export const RANGE_OPTIONS = RANGES.map(value => ({value, text: value}));
export const REFRESH_OPTIONS = [{value: '', text: 'Off'}, ...REFRESHES.map(value => ({value, text: value}))];
export const ZONE_OPTIONS = [
  {value: 'local', text: 'Local'},
  {value: 'utc', text: 'UTC'},
];
