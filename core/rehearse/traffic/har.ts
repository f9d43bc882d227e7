import {membersOf, momentOf, type TrafficEntry} from './recorded-request.js';

/** Whether a file that begins so is a HAR: one object with everything under "log". */
export function isHar(beginning: string): boolean {
  return /^\s*\{\s*"log"\s*:/.test(beginning);
}

/** The entries of a HAR 1.2, which browsers export; undefined where there are none. */
export function harEntries(document: unknown): readonly unknown[] | undefined {
  const {entries} = membersOf(membersOf(document).log);
  return Array.isArray(entries) ? entries : undefined;
}

const FORM = /^application\/x-www-form-urlencoded\b/i;
const URL_PARTS = /^[a-z]+:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/i;

/** The request of an entry, whatever it was for. */
export function harEntry(entry: unknown): TrafficEntry {
  const {startedDateTime, request} = membersOf(entry);
  const {method, url, postData, headers} = membersOf(request);
  if (typeof method !== 'string' || typeof url !== 'string') return {bad: 'expected "request" with "method" and "url"'};
  const time = momentOf(startedDateTime);
  if (time === undefined) return {bad: 'key "startedDateTime": expected a time in RFC 3339'};
  const parts = URL_PARTS.exec(url);
  if (parts === null) return {bad: 'key "request.url": expected a URL'};
  const [, path = '', queryString = ''] = parts;
  const parameters = [queryString, formOf(postData)].filter(text => text !== '').join('&');
  const accept = listOf(headers).find(({name}) => String(name).toLowerCase() === 'accept')?.value;
  return {time, method, path: path === '' ? '/' : path, parameters, ...(typeof accept === 'string' && {accept})};
}

/** A form as text, or as the list that stands there in place of it. */
function formOf(postData: unknown): string {
  const {mimeType, text, params} = membersOf(postData);
  if (!FORM.test(String(mimeType))) return '';
  if (typeof text === 'string' && text !== '') return text;
  const pairs = listOf(params).map(({name, value}): [string, string] => [decoded(name), decoded(value)]);
  return new URLSearchParams(pairs).toString();
}

/** Browsers leave the parts of a form as they were sent. */
function decoded(value: unknown): string {
  const text = String(value ?? '');
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function listOf(value: unknown) {
  return (Array.isArray(value) ? value : []).map(membersOf);
}
