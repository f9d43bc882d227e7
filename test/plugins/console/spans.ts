import {ask} from '../../support/http.js';

/** A compat span as a reporter sends it, in microseconds after the begin of its trace. */
export interface SpanSketch {
  readonly id: number;
  readonly parent?: number;
  readonly service: string;
  readonly name: string;
  readonly at: number;
  readonly took: number;
  readonly tags?: Readonly<Record<string, string>>;
}

const hex = (id: number): string => id.toString(16).padStart(16, '0');

/** The id of a span as the API gives it. */
export const spanId = hex;

export async function writeTrace(url: string, traceId: string, spans: readonly SpanSketch[]): Promise<void> {
  const begin = (Math.floor(Date.now() / 1000) - 60) * 1_000_000;
  const body = spans.map(({id, parent, service, name, at, took, tags = {}}) => ({
    traceId,
    id: hex(id),
    ...(parent !== undefined && {parentId: hex(parent)}),
    kind: 'SERVER',
    name,
    timestamp: begin + at,
    duration: took,
    localEndpoint: {serviceName: service},
    tags,
  }));
  const {status, text} = await ask(`${url}/api/v2/spans`, {method: 'POST', body: JSON.stringify(body)});
  if (status !== 202) throw new Error(`the spans were answered ${status}: ${text}`);
}

/** A tree of so many spans: each has up to `width` children, one after the other within it. */
export function largeTrace(count: number, width: number): readonly SpanSketch[] {
  const spans: {id: number; parent?: number; service: string; name: string; at: number; took: number}[] = [];
  for (let i = 0; i < count; i++) {
    const parent = spans[Math.floor((i - 1) / width)];
    const nth = i === 0 ? 0 : (i - 1) % width;
    const took = parent === undefined ? 60_000_000 : Math.max(1, Math.floor(parent.took / width) - 1);
    const at = parent === undefined ? 0 : parent.at + nth * took;
    const name = `operation ${i % 50}`;
    spans.push({id: i + 1, ...(parent && {parent: parent.id}), service: `service-${i % 12}`, name, at, took});
  }
  return spans;
}
