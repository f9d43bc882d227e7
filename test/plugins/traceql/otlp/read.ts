import type {ConvertedTrace} from '../../../../plugins/traceql/otlp/model.js';
import {traceJson} from '../../../support/whole-trace.js';

export interface JsonAttribute {
  readonly key: string;
  readonly value: {readonly stringValue: string};
}

export interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly JsonAttribute[];
}

interface JsonTrace {
  readonly trace: {
    readonly resourceSpans: readonly {
      readonly resource: {readonly attributes: readonly JsonAttribute[]};
      readonly scopeSpans: readonly {readonly scope: unknown; readonly spans: readonly JsonSpan[]}[];
    }[];
  };
}

/** What a client reads from the JSON answer. */
export function readJson(trace: ConvertedTrace): JsonTrace {
  return JSON.parse(Buffer.concat([...traceJson(trace)]).toString('utf8')) as JsonTrace;
}

export function spansOf(trace: ConvertedTrace): readonly JsonSpan[] {
  return readJson(trace).trace.resourceSpans.flatMap(({scopeSpans}) => scopeSpans.flatMap(({spans}) => spans));
}

/** `['key=value', …]` in the form of the answer. */
export function attributes(...pairs: readonly string[]): JsonAttribute[] {
  return pairs.map(pair => {
    const at = pair.indexOf('=');
    return {key: pair.slice(0, at), value: {stringValue: pair.slice(at + 1)}};
  });
}
