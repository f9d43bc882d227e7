import {GatewayError} from '../api/errors.js';
import type {Route} from '../api/http.js';
import type {AskedTimes, Rehearsal} from '../api/rehearsal.js';
import {joinBraces} from '../http/braces.js';
import {parameterReader} from '../http/parameters.js';
import {MS_PER_MINUTE, MS_PER_SECOND} from '../toolkit/time.js';

export interface TimeSettings {
  /** Whether what was asked is moved by the time since it was recorded. */
  readonly shift: boolean;
  /** Milliseconds. What is younger than that is not asked for; 0: everything is. */
  readonly skipRecent: number;
}

/** What is done to the times of a request, so that both storages are asked the same and of what does not change any more. */
export type TimeChange = 'given' | 'shifted' | 'cut';

export interface MovedTimes {
  readonly parameters: string;
  readonly changes: readonly TimeChange[];
  /** Nothing that the request asks for is old enough. */
  readonly isTooRecent: boolean;
}

/** A request of a route at a moment, of what was recorded at another. Both are milliseconds since the epoch. */
export function moveTimes(
  parameters: string,
  route: Route,
  rehearsal: Rehearsal | undefined,
  recorded: number,
  now: number,
  {shift, skipRecent}: TimeSettings,
): MovedTimes {
  const times = timesOf(parameters, route, rehearsal);
  if (times === undefined) return {parameters, changes: [], isTooRecent: false};
  const text = route.parameters === 'braces' ? joinBraces(parameters) : parameters;
  const parts = new TimeParts(text);
  const changes: TimeChange[] = [];
  // By whole minutes, so that values and the buckets that they lie in stay together.
  const by = shift ? Math.floor((now - recorded) / MS_PER_MINUTE) * MS_PER_MINUTE : 0;
  if (by !== 0) {
    for (const name of namesOf(times)) {
      const time = parts.get(name);
      if (time !== undefined) parts.set(name, time + by);
    }
    changes.push('shifted');
  }
  if (!parts.has(times.end)) {
    parts.set(times.end, Math.floor((recorded + by) / MS_PER_SECOND) * MS_PER_SECOND);
    changes.push('given');
  }
  if (skipRecent === 0) return {parameters: parts.text, changes, isTooRecent: false};
  // The last second of the last bucket that is over.
  const last = Math.floor((now - skipRecent) / times.bucket) * times.bucket - MS_PER_SECOND;
  if ((parts.get(times.end) ?? last) > last) {
    parts.set(times.end, last);
    changes.push('cut');
  }
  const start = times.start === undefined ? undefined : parts.get(times.start);
  const isTooRecent = changes.includes('cut') && start !== undefined && start > last;
  return {parameters: parts.text, changes, isTooRecent};
}

/** None where the parameters are such that the plugin refuses them: then the refusal is the answer to compare. */
function timesOf(parameters: string, route: Route, rehearsal: Rehearsal | undefined): AskedTimes | undefined {
  try {
    return rehearsal?.times(route.path, parameterReader(route)(parameters, ''));
  } catch (error) {
    if (GatewayError.is(error)) return undefined;
    throw error;
  }
}

function namesOf({start, end}: AskedTimes): readonly string[] {
  return start === undefined ? [end] : [start, end];
}

const SECONDS = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parameters as text, in which times are read and replaced and everything else stays as it came. */
class TimeParts {
  readonly #parts: string[];

  constructor(text: string) {
    this.#parts = text === '' ? [] : text.split('&');
  }

  get text(): string {
    return this.#parts.join('&');
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** Milliseconds; undefined where there is no time, or what stands there is none. */
  get(name: string): number | undefined {
    const text = this.#find(name)?.value.trim() ?? '';
    const time = SECONDS.test(text) ? Number(text) * MS_PER_SECOND : Date.parse(text);
    return Number.isFinite(time) ? time : undefined;
  }

  /** In the form that stands there; else in seconds. */
  set(name: string, time: number): void {
    const found = this.#find(name);
    const isDate = found !== undefined && !SECONDS.test(found.value.trim());
    // A product of seconds may have a tail of digits that the text had not.
    const value = isDate ? new Date(time).toISOString() : String(Math.round(time) / MS_PER_SECOND);
    this.#parts[found?.index ?? this.#parts.length] = `${encodeURIComponent(name)}=${value}`;
  }

  /** The first that is not empty, as it counts. */
  #find(name: string): {readonly index: number; readonly value: string} | undefined {
    for (const [index, part] of this.#parts.entries()) {
      const mark = part.indexOf('=');
      if (mark < 0 || decoded(part.slice(0, mark)) !== name) continue;
      const value = decoded(part.slice(mark + 1));
      if (value !== '') return {index, value};
    }
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
