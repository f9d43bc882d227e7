import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {MS_PER_DAY} from '../../../core/toolkit/time.js';
import {EVER, type MillisRange} from '../client/criteria.js';

const KIND = 'metrics';

export const SECTIONS = ['entities', 'minutes', 'hours', 'days', 'records'] as const;
export type Section = (typeof SECTIONS)[number];

/** Where an export of metrics goes on. */
export interface MetricPlace {
  readonly section: Section;
  /** The end of the day on which the export began, in milliseconds: slabs are counted from it. */
  readonly anchor: number;
  readonly slab: number;
  /** What of the section is next or half done: the id of a service, a metric, or a stream and the id of a service. */
  readonly name: string;
  /** Up to which time it is still to be read, in the unit of the section. */
  readonly end: number;
  /** The earliest minute that was found, in Unix seconds; `NO_MINUTE` before. Hours that begin before it stand for theirs. */
  readonly oldest: number;
}

/** Later than every time. */
export const NO_MINUTE = Number.MAX_SAFE_INTEGER;

/** The beginning of the export. */
export function firstPlace(now: number): MetricPlace {
  const anchor = Math.ceil((now + 1) / MS_PER_DAY) * MS_PER_DAY;
  return {...sectionStart('entities'), anchor, oldest: NO_MINUTE};
}

export function sectionStart(section: Section): Omit<MetricPlace, 'anchor' | 'oldest'> {
  return {section, slab: 0, name: '', end: Number.MAX_SAFE_INTEGER};
}

export function encodePlace({section, anchor, slab, name, end, oldest}: MetricPlace): string {
  return encodeResume(KIND, [section, anchor, slab, name, end, oldest]);
}

export function decodePlace(text: string): MetricPlace {
  const types = ['string', 'number', 'number', 'string', 'number', 'number'] as const;
  const [section, anchor, slab, name, end, oldest] = decodeResume(KIND, text, types);
  return {
    section: section as Section,
    anchor: Number(anchor),
    slab: Number(slab),
    name: String(name),
    end: Number(end),
    oldest: Number(oldest),
  };
}

/** How many days before the anchor a slab ends and the next one begins. */
const DAYS_BACK = [0, 1, 2, 4, 8, 16];

/**
 * All of time, the latest first: metric by metric within a slab, so that a copy has the last day of all metrics before an
 * earlier one of any.
 */
export function slabsFrom(anchor: number): readonly MillisRange[] {
  const edges = [EVER.end + 1, ...DAYS_BACK.map(days => anchor - days * MS_PER_DAY), EVER.begin];
  return edges.slice(1).map((begin, i) => ({begin, end: (edges[i] ?? EVER.end) - 1}));
}
