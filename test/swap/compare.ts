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

/** How the answers of two gateways to a request differ; undefined where they are the same, byte for byte. */
export async function compare(
  request: SwapRequest,
  {without}: Pick<Backend, 'without'>,
  expected: RunningGateway,
  actual: RunningGateway,
): Promise<string | undefined> {
  const [wanted, got] = await Promise.all([send(expected, request), send(actual, request)]);
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
