import type {CompatSpan, CompatTrace, NativeTrace, Segment} from '../../../../core/api/adapter.js';
import {compatModel} from '../../../../core/toolkit/traces/compat-model.js';
import {
  decodeTaggedCompatSpan,
  encodeTaggedCompatSpan,
  type TaggedCompatSpanBody,
} from '../../../../core/toolkit/traces/compat-span-codec.js';
import type {TraceModel, TraceModelName} from '../../../../core/toolkit/traces/model.js';
import {nativeModel} from '../../../../core/toolkit/traces/native-model.js';
import {decodeSegment, encodeSegment, type SegmentBody} from './segment-codec.js';

/** A trace model with the form in which its fragments are stored. */
export interface EmbeddedTraceModel<Fragment, Trace> extends TraceModel<Fragment, Trace> {
  /** A JSON text without the trace id. */
  encode(fragment: Fragment): string;
  /** `body` is what `encode` wrote, parsed. */
  decode(traceId: string, body: unknown): Fragment;
}

export const embeddedCompatModel: EmbeddedTraceModel<CompatSpan, CompatTrace> = {
  ...compatModel,
  encode: span => JSON.stringify(encodeTaggedCompatSpan(span)),
  decode: (traceId, body) => decodeTaggedCompatSpan(traceId, body as TaggedCompatSpanBody),
};

export const embeddedNativeModel: EmbeddedTraceModel<Segment, NativeTrace> = {
  ...nativeModel,
  encode: segment => JSON.stringify(encodeSegment(segment)),
  decode: (traceId, body) => decodeSegment(traceId, body as SegmentBody),
};

/** The model behind a name, where its fragments need not be told apart by type. */
export function embeddedTraceModel(name: TraceModelName): EmbeddedTraceModel<unknown, unknown> {
  return (name === 'compat' ? embeddedCompatModel : embeddedNativeModel) as EmbeddedTraceModel<unknown, unknown>;
}
