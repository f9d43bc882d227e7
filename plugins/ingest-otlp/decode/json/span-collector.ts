import {type OtlpResource, type OtlpScope, type OtlpSpan, otlpServiceName} from '../../../../core/api/plugin.js';
import {type OnRejected, RequestChecks} from '../request-checks.js';

/** A span as it was read: ids of any length, in lower case hex, and empty where there is none. */
export type ReadSpan = Omit<OtlpSpan, 'parentSpanId' | 'resource' | 'scope'> & {readonly parentSpanId: string};

type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

const ZEROS = /^0*$/;

/** Where the spans of a request come together: puts each that can be taken under its resource and scope. */
export class SpanCollector {
  readonly spans: OtlpSpan[] = [];
  readonly checks: RequestChecks;
  #resource: OtlpResource | undefined;
  #scope: OtlpScope | undefined;

  constructor(onRejected: OnRejected) {
    this.checks = new RequestChecks(onRejected);
  }

  resource(resource: OtlpResource): void {
    this.#resource = resource;
    this.checks.resource(() => otlpServiceName(resource));
  }

  scope(scope: OtlpScope): void {
    this.#scope = scope;
    this.checks.scope();
  }

  span(read: ReadSpan): void {
    if (this.checks.span(read)) this.spans.push(placed(read, this.#resource as OtlpResource, this.#scope as OtlpScope));
  }
}

/** Key by key: spreading an object costs more than decoding it. */
function placed(read: ReadSpan, resource: OtlpResource, scope: OtlpScope): OtlpSpan {
  const span: Draft<OtlpSpan> = {
    traceId: read.traceId,
    spanId: read.spanId,
    traceState: read.traceState,
    flags: read.flags,
    name: read.name,
    kind: read.kind,
    startTime: read.startTime,
    endTime: read.endTime,
    attributes: read.attributes,
    droppedAttributesCount: read.droppedAttributesCount,
    events: read.events,
    droppedEventsCount: read.droppedEventsCount,
    links: read.links,
    droppedLinksCount: read.droppedLinksCount,
    status: read.status,
    resource,
    scope,
  };
  if (!ZEROS.test(read.parentSpanId)) span.parentSpanId = read.parentSpanId;
  return span;
}
