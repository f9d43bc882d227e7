import type {OtlpSpan, OtlpTrace} from '../../../core/api/adapter.js';
import {encodeOtlpSpan} from '../../../core/toolkit/otlp/encode.js';
import {OtlpSpanDecoder} from '../../../core/toolkit/otlp/span-decoder.js';
import {otlpModel} from '../../../core/toolkit/traces/otlp-model.js';
import {termsOfText} from '../../../core/toolkit/traces/typed-term.js';
import type {ClickHouseTraceModel} from './model.js';

const decoder = new OtlpSpanDecoder();

/** The body is the binary form of OTLP, which keeps the types of values. */
export const clickHouseOtlpModel: ClickHouseTraceModel<OtlpSpan, OtlpTrace, bigint> = {
  ...otlpModel,
  hasResources: true,
  encode: encodeOtlpSpan,
  decode: body => decoder.decode(body),
  valuesOf: termsOfText,
};
