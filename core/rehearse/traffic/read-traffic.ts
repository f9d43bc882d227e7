import {harEntries, harEntry, isHar} from './har.js';
import {queryLogLine} from './query-log-line.js';
import {recordedLine} from './recorded-line.js';
import type {RecordedRequest, TrafficEntry} from './recorded-request.js';

/** A file with requests: its name, and its content in pieces. */
export interface TrafficFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The file is none of the forms that are known. */
export class NoTraffic extends Error {
  override readonly name = 'NoTraffic';
}

const FORMS = 'a recording of the gateway, a HAR, or a query log of Prometheus';
/** A line that is longer is none of ours: the longest request has a megabyte. */
const LONGEST_LINE = 16 * 2 ** 20;
/** By so much of it a file tells its form. */
const BEGINNING = 4096;

/**
 * The requests of a file, in its order; its form is told by its content. `onBad` is told of each entry that is no request:
 * `FILE:LINE: reason`, of lists `FILE[INDEX]: reason`. Throws `NoTraffic` where nothing in it looks like requests.
 */
export async function* readTraffic(
  {name, content}: TrafficFile,
  onBad: (bad: string) => void,
): AsyncGenerator<RecordedRequest> {
  const pieces = content[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = '';
  let isOver = false;
  const more = async (): Promise<void> => {
    const {done, value} = await pieces.next();
    isOver = done === true;
    text += decoder.decode(value, {stream: !isOver});
  };
  while (text.length < BEGINNING && !isOver) await more();

  if (isHar(text)) {
    const all = [text];
    text = '';
    while (!isOver) {
      await more();
      all.push(text);
      text = '';
    }
    yield* harRequests(name, all.join(''), onBad);
    return;
  }
  let line = 0;
  let known = 0;
  let bad = 0;
  for (;;) {
    const end = text.indexOf('\n');
    if (end < 0 && !isOver) {
      if (text.length > LONGEST_LINE)
        throw new NoTraffic(`${name}:${line + 1}: the line is longer than any request; expected ${FORMS}`);
      await more();
      continue;
    }
    const one = end < 0 ? text : text.slice(0, end);
    text = end < 0 ? '' : text.slice(end + 1);
    line++;
    if (one.trim() !== '') {
      const entry = entryOf(one);
      if ('bad' in entry) {
        bad++;
        onBad(`${name}:${line}: ${entry.bad}`);
      } else {
        known++;
        yield {...entry, at: `${name}:${line}`};
      }
    }
    if (end < 0) break;
  }
  if (known === 0 && bad > 0) throw new NoTraffic(`${name}: no line of it is a request; expected ${FORMS}`);
}

function entryOf(line: string): TrafficEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return {bad: 'not a whole line of JSON'};
  }
  return recordedLine(value) ?? queryLogLine(value) ?? {bad: 'neither a recorded query nor a line of a query log'};
}

function* harRequests(name: string, text: string, onBad: (bad: string) => void): Generator<RecordedRequest> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new NoTraffic(`${name}: the HAR is not whole: ${(cause as Error).message}`, {cause});
  }
  const entries = harEntries(document);
  if (entries === undefined) throw new NoTraffic(`${name}: found "log" without "entries"; expected ${FORMS}`);
  for (const [index, each] of entries.entries()) {
    const at = `${name}[${index}]`;
    const entry = harEntry(each);
    if ('bad' in entry) onBad(`${at}: ${entry.bad}`);
    else yield {...entry, at};
  }
}
