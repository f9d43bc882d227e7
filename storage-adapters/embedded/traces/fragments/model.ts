import type {CompatSpan, CompatTrace, NativeTrace, OtlpSpan, OtlpTrace, Segment} from '../../../../core/api/adapter.js';
import {encodeOtlpSpan} from '../../../../core/toolkit/otlp/encode.js';
import {OtlpSpanDecoder} from '../../../../core/toolkit/otlp/span-decoder.js';
import {compatModel} from '../../../../core/toolkit/traces/compat-model.js';
import {
  decodeTaggedCompatSpan,
  encodeTaggedCompatSpan,
  type TaggedCompatSpanBody,
} from '../../../../core/toolkit/traces/compat-span-codec.js';
import type {TraceModel, TraceModelName} from '../../../../core/toolkit/traces/model.js';
import {nativeModel} from '../../../../core/toolkit/traces/native-model.js';
import {otlpModel} from '../../../../core/toolkit/traces/otlp-model.js';
import {
  type Body,
  type JoinedBodies,
  type JoinedBytes,
  joinBytes,
  joinTexts,
  splitBytes,
} from '../../threads/bodies.js';
import {type PlacedBody, placeOfCompatBody, spansOfSegmentBody} from './places.js';
import {decodeSegment, encodeSegment, type SegmentBody} from './segment-codec.js';

/** A trace model with the form in which its fragments are stored. The trace id may be left out of it. */
export interface EmbeddedTraceModel<Fragment, Trace, Time = number> extends TraceModel<Fragment, Trace, Time> {
  encode(fragment: Fragment): Body;
  /** `body` is what `encode` wrote. */
  decode(traceId: string, body: Body): Fragment;
  /** As one, for the way between threads. */
  join(bodies: readonly Body[]): JoinedBodies;
  /** Decodes bodies that were joined. */
  split(traceId: string, joined: JoinedBodies): Iterable<Fragment>;
  /** The spans of a text, each as a text of its own, with their places. Absent where large traces are not given in parts. */
  readonly placed?: (body: Body) => readonly PlacedBody[];
}

/** Fragments as JSON texts, without the trace id. */
function asJson<Fragment, Parsed>(
  encode: (fragment: Fragment) => Parsed,
  decode: (traceId: string, body: Parsed) => Fragment,
): Pick<EmbeddedTraceModel<Fragment, unknown>, 'encode' | 'decode' | 'join' | 'split'> {
  return {
    encode: fragment => JSON.stringify(encode(fragment)),
    decode: (traceId, body) => decode(traceId, JSON.parse(body as string)),
    join: joinTexts,
    *split(traceId, joined) {
      for (const body of JSON.parse(joined as string) as Parsed[]) yield decode(traceId, body);
    },
  };
}

export const embeddedCompatModel: EmbeddedTraceModel<CompatSpan, CompatTrace> = {
  ...compatModel,
  ...asJson<CompatSpan, TaggedCompatSpanBody>(encodeTaggedCompatSpan, decodeTaggedCompatSpan),
  placed: body => [{place: placeOfCompatBody(body as string), body}],
};

export const embeddedNativeModel: EmbeddedTraceModel<Segment, NativeTrace> = {
  ...nativeModel,
  ...asJson<Segment, SegmentBody>(encodeSegment, decodeSegment),
  placed: body => spansOfSegmentBody(body as string),
};

const decoder = new OtlpSpanDecoder();

export const embeddedOtlpModel: EmbeddedTraceModel<OtlpSpan, OtlpTrace, bigint> = {
  ...otlpModel,
  encode: encodeOtlpSpan,
  decode: (_, body) => decoder.decode(body as Uint8Array),
  join: joinBytes,
  *split(_, joined) {
    for (const body of splitBytes(joined as JoinedBytes)) yield decoder.decode(body);
  },
};

type AnyModel = EmbeddedTraceModel<unknown, unknown, unknown>;

const MODELS: Readonly<Record<TraceModelName, unknown>> = {
  compat: embeddedCompatModel,
  native: embeddedNativeModel,
  otlp: embeddedOtlpModel,
};

/** The model behind a name, where its fragments need not be told apart by type. */
export function embeddedTraceModel(name: TraceModelName): AnyModel {
  return MODELS[name] as AnyModel;
}
