import test from 'ava';
import type {RunningGateway} from '../support/gateway.js';
import type {Answer} from '../support/http.js';
import {suiteWith} from '../support/programs.js';
import {finding} from './finding.js';
import {type Backend, EMBEDDED, loadInto, OTHERS, send, startOver} from './gateways.js';
import {METRIC_REQUESTS} from './metric-requests.js';
import type {SwapRequest} from './request.js';
import {traceRequests} from './trace-requests.js';

const REQUESTS: readonly SwapRequest[] = [...METRIC_REQUESTS, ...traceRequests('compat'), ...traceRequests('native')];
const IN_ONE_BODY = 1_000_000;

test.serial('what is compared finds what it is meant to find', async t => {
  const reference = await startOver(t, EMBEDDED);
  await loadInto(reference, EMBEDDED, IN_ONE_BODY);
  const surprising: string[] = [];
  for (const request of REQUESTS) {
    const answer = await send(reference, request);
    const found = finding(answer);
    if (found !== request.finds) surprising.push(`${nameOf(request)} finds ${found}: ${answer.text.slice(0, 200)}`);
  }
  t.deepEqual(surprising, [], `of ${REQUESTS.length} requests`);
});

for (const backend of OTHERS) {
  suiteWith(test, backend.needs, `dashboards see the same over ${backend.name}`, () => {
    test.serial(`dashboards see the same over ${backend.name} as over embedded, byte for byte`, async t => {
      const [expected, actual] = await Promise.all([startOver(t, EMBEDDED), startOver(t, backend)]);
      await loadInto(expected, EMBEDDED, IN_ONE_BODY);
      // In other pieces, and twice: neither may make a difference.
      await loadInto(actual, backend, 5003);
      await loadInto(actual, backend, 30_011);
      const differing: string[] = [];
      for (const request of REQUESTS) {
        const difference = await compare(request, backend, expected, actual);
        if (difference !== undefined) differing.push(difference);
      }
      t.deepEqual(differing, [], `${differing.length} of ${REQUESTS.length} answers differ`);
    });
  });
}

async function compare(
  request: SwapRequest,
  {without}: Backend,
  expected: RunningGateway,
  actual: RunningGateway,
): Promise<string | undefined> {
  const [wanted, got] = await Promise.all([send(expected, request), send(actual, request)]);
  const isExempt = without.includes('traces.native.v2') && request.path.startsWith('/native/');
  if (isExempt) return got.status === 501 ? undefined : `${nameOf(request)}: ${got.status} in place of 501`;
  if (got.status === wanted.status && Buffer.compare(got.bytes, wanted.bytes) === 0) return undefined;
  return `${nameOf(request)}\n  embedded: ${excerpt(wanted, got)}\n  other:    ${excerpt(got, wanted)}`;
}

/** The answer from shortly before the first byte that differs. */
function excerpt({status, text}: Answer, other: Answer): string {
  let at = 0;
  while (at < text.length && text[at] === other.text[at]) at++;
  return `${status} … ${text.slice(Math.max(0, at - 80), at + 120)}`;
}

function nameOf({path, parameters, headers}: SwapRequest): string {
  return [path, JSON.stringify(parameters ?? {}), ...(headers === undefined ? [] : [JSON.stringify(headers)])].join(
    ' ',
  );
}
