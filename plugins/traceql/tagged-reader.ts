import type {SpanFilter, TraceReader, TypedText} from '../../core/api/plugin.js';
import type {SourceReader} from './source.js';

/**
 * The reader of a kind whose values are all text and whose resources have no attributes: conditions on those are refused
 * before anything is read.
 */
export function taggedReader<Trace>(reader: TraceReader<Trace>): SourceReader<Trace> {
  return {
    search: (request, call) => reader.search({...request, filter: request.filter as SpanFilter}, call),
    tagKeys: async ({scope, filter, ...window}, call) =>
      scope === 'span' ? reader.tagKeys({...window, filter: filter as SpanFilter}, call) : [],
    attributeValues: async ({attribute, filter, ...request}, call) => {
      if (attribute.of === 'resource') return [];
      const values = await reader.attributeValues({...request, attribute, filter: filter as SpanFilter}, call);
      return values.map((text): TypedText => ({type: 'string', text}));
    },
  };
}
