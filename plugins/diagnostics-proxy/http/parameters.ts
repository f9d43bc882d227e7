import {GatewayError, type Parameters} from '../../../core/api/plugin.js';
import {parameterProblem} from '../../../core/toolkit/messages.js';
import type {Timestamp} from '../../diagnostics/proto/contract.js';

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** The time that a parameter holds, with nanoseconds; undefined when it is absent. Of several the first, but all are checked. */
export function timeParameter(parameters: Parameters, name: string): Timestamp | undefined {
  const times = parameters.all(name).map(text => timeOf(name, text));
  return times[0];
}

function timeOf(name: string, text: string): Timestamp {
  const time = parseTime(text);
  if (time !== undefined) return time;
  const hint = /\d \d\d:\d\d$/.test(text) ? '; a plus sign in a URL is written %2B' : '';
  throw new GatewayError(
    'bad_request',
    parameterProblem(name, text, `expected a time in RFC 3339 such as 2026-01-31T08:00:00Z${hint}`),
  );
}

function parseTime(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [, , , , , , , fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have would become one of the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60 * (sign === '-' ? -1 : 1);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
  return {seconds: String(seconds), nanos: Number(fraction.slice(0, 9).padEnd(9, '0'))};
}
