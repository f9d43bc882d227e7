import {isError, type JsonAttribute, type JsonSpan, type JsonTrace, kindOf, serviceOf} from './otlp.js';

/** A span in its place. Times are microseconds from the begin of the trace. */
export interface TreeSpan {
  readonly index: number;
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly start: number;
  readonly duration: number;
  readonly isFailed: boolean;
  readonly raw: JsonSpan;
  readonly resource: readonly JsonAttribute[];
  parent: TreeSpan | undefined;
  readonly children: TreeSpan[];
  /** Its place among its siblings, from 1. */
  position: number;
  /** 1 for a root. */
  level: number;
}

export interface SpanTree {
  /** In the order of the tree, unfolded. */
  readonly spans: readonly TreeSpan[];
  readonly services: readonly string[];
  /** Unix milliseconds. */
  readonly begin: number;
  /** Microseconds. */
  readonly length: number;
  readonly failed: number;
}

/** Finds the tree of a trace. Spans whose parent is not there, or that are their own ancestors, are roots. */
export function traceOf({resourceSpans = []}: JsonTrace): SpanTree {
  const begin = earliest(resourceSpans);
  const all: TreeSpan[] = [];
  const byId = new Map<string, TreeSpan>();
  for (const {resource, scopeSpans = []} of resourceSpans) {
    const attributes = resource?.attributes ?? [];
    const service = serviceOf(attributes);
    for (const {spans = []} of scopeSpans) {
      for (const raw of spans) {
        const span = spanOf(raw, all.length, service, attributes, begin);
        all.push(span);
        const twin = byId.get(span.id);
        // Of the two halves of a shared span the caller's is the parent of both halves' children.
        if (twin === undefined || (twin.kind !== 'client' && span.kind === 'client')) byId.set(span.id, span);
      }
    }
  }
  for (const span of all) {
    const own = byId.get(span.id);
    const isHalf = own !== undefined && own !== span && own.kind === 'client' && span.kind === 'server';
    const parent = isHalf ? own : byId.get(span.raw.parentSpanId ?? '');
    if (parent !== undefined && parent !== span) span.parent = parent;
  }
  const spans = inOrder(all);
  return {
    spans,
    services: [...new Set(spans.map(({service}) => service))],
    begin: begin.seconds * 1000 + begin.nanos / 1e6,
    length: Math.max(1, ...ends(spans)),
    failed: spans.filter(({isFailed}) => isFailed).length,
  };
}

function ends(spans: readonly TreeSpan[]): readonly number[] {
  let most = 0;
  for (const {start, duration} of spans) most = Math.max(most, start + duration);
  return [most];
}

/** A time as OTLP has it: more nanoseconds than a number holds, so its seconds and the rest stand apart. */
interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

function instantOf(text: string): Instant {
  return {seconds: Number(text.slice(0, -9)), nanos: Number(text.slice(-9))};
}

/** Microseconds. */
function between(from: Instant, to: Instant): number {
  return (to.seconds - from.seconds) * 1e6 + (to.nanos - from.nanos) / 1000;
}

function earliest(resourceSpans: NonNullable<JsonTrace['resourceSpans']>): Instant {
  let found: Instant | undefined;
  for (const {scopeSpans = []} of resourceSpans) {
    for (const {spans = []} of scopeSpans) {
      for (const {startTimeUnixNano = '0'} of spans) {
        const at = instantOf(startTimeUnixNano);
        if ((at.seconds > 0 || at.nanos > 0) && (found === undefined || between(found, at) < 0)) found = at;
      }
    }
  }
  return found ?? {seconds: 0, nanos: 0};
}

function spanOf(
  raw: JsonSpan,
  index: number,
  service: string,
  resource: readonly JsonAttribute[],
  begin: Instant,
): TreeSpan {
  const {startTimeUnixNano: from = '0', endTimeUnixNano: to = from} = raw;
  const start = instantOf(from);
  return {
    index,
    id: raw.spanId,
    service,
    name: raw.name ?? '',
    kind: kindOf(raw.kind),
    start: from === '0' ? 0 : between(begin, start),
    duration: Math.max(0, between(start, instantOf(to))),
    isFailed: isError(raw),
    raw,
    resource,
    parent: undefined,
    children: [],
    position: 1,
    level: 1,
  };
}

/** Depth first, siblings by their begin, without recursion: a trace may be one chain. */
function inOrder(all: readonly TreeSpan[]): readonly TreeSpan[] {
  cutCircles(all);
  const roots: TreeSpan[] = [];
  const sorted = [...all].sort((a, b) => a.start - b.start || a.index - b.index);
  for (const span of sorted) span.position = (span.parent?.children ?? roots).push(span);
  const ordered: TreeSpan[] = [];
  const stack = roots.reverse();
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    span.level = (span.parent?.level ?? 0) + 1;
    ordered.push(span);
    for (let i = span.children.length - 1; i >= 0; i--) stack.push(span.children[i] as TreeSpan);
  }
  return ordered;
}

function cutCircles(all: readonly TreeSpan[]): void {
  const done = new Set<TreeSpan>();
  for (const span of all) {
    const path = new Set<TreeSpan>();
    let at: TreeSpan | undefined = span;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.add(at);
      at = at.parent;
    }
    if (at !== undefined && path.has(at)) at.parent = undefined;
    for (const each of path) done.add(each);
  }
}
