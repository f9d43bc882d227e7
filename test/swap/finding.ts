import type {Answer} from '../support/http.js';
import type {SwapRequest} from './request.js';

/** What an answer of either API holds, by its shape. */
export function finding(answer: Answer): SwapRequest['finds'] {
  if (answer.status !== 200) return 'an error';
  if (!String(answer.headers['content-type']).includes('json'))
    return answer.bytes.length > 0 ? 'something' : 'nothing';
  return isEmpty(answer.json()) ? 'nothing' : 'something';
}

function isEmpty(body: Readonly<Record<string, unknown>>): boolean {
  const data = body.data ?? body.traces ?? body.tagNames ?? body.tagValues ?? body.scopes ?? body.trace ?? body.batches;
  const list = (data as {readonly result?: unknown}).result ?? data;
  if (Array.isArray(body.scopes))
    return body.scopes.every(({tags}: {readonly tags: readonly unknown[]}) => tags.length === 0);
  return Object.keys(list as object).length === 0;
}
