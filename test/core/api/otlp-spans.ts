import type {OtlpSpan} from '../../../core/api/adapter.js';

export const NO_RESOURCE = {attributes: [], droppedAttributesCount: 0, schemaUrl: ''} as const;
export const NO_SCOPE = {name: '', version: '', attributes: [], droppedAttributesCount: 0, schemaUrl: ''} as const;

/** A span with nothing in it but what is given. */
export function otlpSpan(given: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId: '000000000000000000000000000000a1',
    spanId: '00000000000000b1',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startTime: 0n,
    endTime: 0n,
    attributes: [],
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    status: {code: 0, message: ''},
    resource: NO_RESOURCE,
    scope: NO_SCOPE,
    ...given,
  };
}
