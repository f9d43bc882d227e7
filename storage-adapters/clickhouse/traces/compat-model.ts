import type {CompatSpan, CompatTrace} from '../../../core/api/adapter.js';
import {compatModel} from '../../../core/toolkit/traces/compat-model.js';
import type {ClickHouseTraceModel} from './model.js';

export const clickHouseCompatModel: ClickHouseTraceModel<CompatSpan, CompatTrace> = {
  ...compatModel,
  hasResources: false,
  encode: span => JSON.stringify({...span, tags: [...span.tags]}),

  decode(body) {
    // Changed in place: a copy of every span would take as long as parsing it.
    const span = JSON.parse(body.toString()) as Omit<CompatSpan, 'tags'> & {tags: unknown};
    span.tags = new Map(span.tags as readonly (readonly [string, string])[]);
    return span as CompatSpan;
  },

  valuesOf: text => [text],
};
