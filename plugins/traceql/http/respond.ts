import {GatewayError, type Reply, type TypedText} from '../../../core/api/plugin.js';
import {MICROS_PER_MS} from '../../../core/toolkit/time.js';
import type {TraceMatch} from '../search/search.js';
import type {CandidateSpan} from '../source.js';

/**
 * Answers, written once, by string building. Each object has exactly the keys of its form: clients decode strictly, and
 * one key that they do not know fails the whole answer.
 */

export function textReply(body: string): Reply {
  return {status: 200, headers: {'content-type': 'text/plain; charset=utf-8'}, body};
}

export function jsonReply(value: unknown): Reply {
  return {status: 200, body: JSON.stringify(value)};
}

/** The longest answer of a search, in characters: a limit on traces is none on their spans. */
const LONGEST = 128 * 1024 * 1024;

/**
 * `resultTags`: the tags that listed spans show where they have them. Traces become text one by one, so that none is
 * held longer than that takes.
 */
export async function searchReply(matches: AsyncIterable<TraceMatch>, resultTags: readonly string[]): Promise<Reply> {
  const shown = resultTags.map(key => [key, `{"key":${JSON.stringify(key)},"value":`] as const);
  let list = '';
  for await (const match of matches) {
    list += (list === '' ? '' : ',') + traceJson(match, shown);
    if (list.length > LONGEST) {
      const message = `the traces found are longer than ${LONGEST} characters: narrow the query, or lower "limit"`;
      throw new GatewayError('limit_exceeded', message);
    }
  }
  return {status: 200, body: `{"traces":[${list}]}`};
}

/** `durationMs` is a `uint32` of the API. A client that finds more in one trace refuses the whole list. */
const LONGEST_MS = 2 ** 32 - 1;

type ShownTags = readonly (readonly [key: string, json: string])[];

function traceJson({trace: {traceId, root, bounds}, spans}: TraceMatch, shown: ShownTags): string {
  const durationMs = Math.min(Math.floor(bounds.duration / MICROS_PER_MS), LONGEST_MS);
  const list = spans.map(span => spanJson(span, shown)).join(',');
  return (
    `{"traceID":"${traceId}","rootServiceName":${JSON.stringify(root.serviceName)},` +
    `"rootTraceName":${JSON.stringify(root.rootSpanName)},"startTimeUnixNano":"${bounds.startNanos}",` +
    `"durationMs":${durationMs},"spanSets":[{"spans":[${list}],"matched":${spans.length}}]}`
  );
}

/** The two attributes that every span has come last. */
function spanJson(span: CandidateSpan, shown: ShownTags): string {
  const {attributes} = span;
  let shownTags = '';
  for (const [key, json] of shown) {
    if (span.typedTag === undefined) {
      const text = attributes.tag(key);
      if (text !== undefined) shownTags += `${json}{"stringValue":${JSON.stringify(text)}}},`;
    } else {
      const value = span.typedTag(key);
      if (value !== undefined) shownTags += `${json}${typedJson(value)}},`;
    }
  }
  return (
    `{"spanID":"${span.spanId}","startTimeUnixNano":"${span.startNanos}",` +
    `"durationNanos":"${span.durationNanos}","attributes":[${shownTags}` +
    `{"key":"service.name","value":{"stringValue":${JSON.stringify(span.serviceName)}}},` +
    `{"key":"span.kind","value":{"stringValue":"SPAN_KIND_${attributes.kind}"}}]}`
  );
}

/** As the JSON form of OTLP has values; what is no scalar is shown as its text, as lists of values do. */
function typedJson({type, text}: TypedText): string {
  switch (type) {
    case 'bool':
      return `{"boolValue":${text}}`;
    case 'int':
      return `{"intValue":"${text}"}`;
    case 'double':
      return `{"doubleValue":${Number.isFinite(Number(text)) ? text : `"${text}"`}}`;
    case 'string':
      return `{"stringValue":${JSON.stringify(text)}}`;
  }
}
