import {quote} from '../../toolkit/messages.js';
import {membersOf, momentOf, type TrafficEntry} from './recorded-request.js';

/** A line that the gateway itself has recorded: `{"time","plugin","method","path","parameters",…}`. */
export function recordedLine(line: unknown): TrafficEntry | undefined {
  const {time: at, plugin, method, path, parameters} = membersOf(line);
  if (plugin === undefined) return undefined;
  const time = momentOf(at);
  if (time === undefined) return {bad: 'key "time": expected a time in RFC 3339'};
  const texts = {plugin, method, path, parameters};
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== 'string') return {bad: `key ${quote(key)}: expected a text`};
  }
  return {time, ...(texts as Readonly<Record<keyof typeof texts, string>>)};
}
