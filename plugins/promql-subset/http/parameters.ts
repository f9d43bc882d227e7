import {GatewayError, type HttpRequest, type Parameters} from '../../../core/api/plugin.js';
import {parameterProblem, quote} from '../../../core/toolkit/messages.js';
import {parseLimit} from '../metadata/name-lists.js';

/** Decoding of the parameters that the endpoints share. An empty parameter is an absent one. */

export function required(request: HttpRequest, name: string): string {
  const value = request.parameters.first(name);
  if (value === undefined) {
    throw new GatewayError('bad_request', `the parameter ${quote(name)} is missing or empty${ignoredBody(request)}`);
  }
  return value;
}

const FORM = 'application/x-www-form-urlencoded';

/** A hint for a request whose parameters may stand in a body that is not read, because it is no form. */
function ignoredBody({headers}: HttpRequest): string {
  const type = headers['content-type'];
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty || (typeof type === 'string' && type.toLowerCase().startsWith(FORM))) return '';
  const found = typeof type === 'string' ? `the type ${quote(type)}` : 'no content type';
  return `; the body has ${found} and is not read, parameters come in the URL or in a body of the type ${FORM}`;
}

/** Unix seconds, possibly with a fraction; undefined when absent. */
export function timeOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters.first(name);
  return text === undefined ? undefined : parseTime(text, name);
}

export function requiredTime(request: HttpRequest, name: string): number {
  return parseTime(required(request, name), name);
}

/** A bound of a list, in Unix seconds: one beyond what a calendar can write means "no bound", and is moved there. */
export function boundOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters.first(name);
  return text === undefined ? undefined : parseBound(text, name);
}

export function requiredBound(request: HttpRequest, name: string): number {
  return parseBound(required(request, name), name);
}

/** The largest number of results: a whole number, 0 for no limit (infinity); undefined when absent. */
export function limitOf(parameters: Parameters): number | undefined {
  const text = parameters.first('limit');
  return text === undefined ? undefined : parseLimit(text, 'the parameter "limit"');
}

const SECONDS = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
/** A plus sign that was not escaped arrives as a blank. Without an offset the time is UTC. */
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+ -])(\d\d):?(\d\d))?$/;

/** The first and the last second that RFC 3339 can write. */
const EARLIEST = -62_167_219_200;
const LATEST = 253_402_300_799;

/** How Prometheus itself writes its smallest and its largest time, which its client libraries send on. */
const EXTREMES: Readonly<Record<string, number>> = {
  '-292273086-05-16T16:47:06Z': EARLIEST,
  '292277025-08-18T07:12:54.999999999Z': LATEST,
};

function parseBound(text: string, name: string): number {
  const seconds = EXTREMES[text.trim()] ?? parseSeconds(text, name);
  return Math.min(Math.max(seconds, EARLIEST), LATEST);
}

function parseSeconds(text: string, name: string): number {
  const seconds = SECONDS.test(text) ? Number(text) : parseDate(text);
  if (seconds === undefined || !Number.isFinite(seconds)) {
    const forms = 'expected a time in Unix seconds such as 1700000040 or in RFC 3339 such as 2023-11-14T22:14:00Z';
    throw new GatewayError('bad_request', parameterProblem(name, text, forms));
  }
  return seconds;
}

function parseTime(text: string, name: string): number {
  const seconds = parseSeconds(text, name);
  if (seconds < EARLIEST || seconds > LATEST) {
    const problem = 'expected a time in seconds of the years from 0 to 9999';
    throw new GatewayError('bad_request', parameterProblem(name, text, problem));
  }
  return seconds;
}

function parseDate(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (!exists || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (match[8] === '-' ? -60 : 60) * (offsetHours * 60 + offsetMinutes);
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second + Number(match[7] ?? 0) - offset;
}
