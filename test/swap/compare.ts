import type {RunningGateway} from '../support/gateway.js';
import type {Answer} from '../support/http.js';
import {type Backend, send} from './gateways.js';
import {METRIC_REQUESTS} from './metric-requests.js';
import type {SwapRequest} from './request.js';
import {traceRequests} from './trace-requests.js';

export const ALL_REQUESTS: readonly SwapRequest[] = [
  ...METRIC_REQUESTS,
  ...traceRequests('compat'),
  ...traceRequests('native'),
  ...traceRequests('otlp'),
];

/** What a gateway answers to each of the requests. */
export type Answers = ReadonlyMap<SwapRequest, Answer>;

export async function answersOf(gateway: RunningGateway): Promise<Answers> {
  const answers = new Map<SwapRequest, Answer>();
  for (const request of ALL_REQUESTS) answers.set(request, await send(gateway, request));
  return answers;
}

/** Where a gateway answers otherwise than another one has, which is asked once for all that are compared with it. */
export async function differences(
  expected: Answers,
  actual: RunningGateway,
  without: Backend['without'] = [],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [request, wanted] of expected) {
    const difference = compare(request, without, wanted, await send(actual, request));
    if (difference !== undefined) found.push(difference);
  }
  return found;
}

/** How two answers to a request differ; undefined where they are the same, byte for byte. */
function compare(request: SwapRequest, without: Backend['without'], wanted: Answer, got: Answer): string | undefined {
  const isExempt = without.includes('traces.native.v2') && request.path.startsWith('/native/');
  if (isExempt) return got.status === 501 ? undefined : `${nameOf(request)}: ${got.status} in place of 501`;
  if (got.status === wanted.status && Buffer.compare(got.bytes, wanted.bytes) === 0) return undefined;
  return `${nameOf(request)}\n  expected: ${excerpt(wanted, got)}\n  actual:   ${excerpt(got, wanted)}`;
}

/** The answer from shortly before the first byte that differs. */
function excerpt({status, text}: Answer, other: Answer): string {
  let at = 0;
  while (at < text.length && text[at] === other.text[at]) at++;
  return `${status} … ${text.slice(Math.max(0, at - 80), at + 120)}`;
}

export function nameOf({path, parameters, headers}: SwapRequest): string {
  return [path, JSON.stringify(parameters ?? {}), ...(headers === undefined ? [] : [JSON.stringify(headers)])].join(
    ' ',
  );
}
