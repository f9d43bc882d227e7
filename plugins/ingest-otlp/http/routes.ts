import {status} from '@grpc/grpc-js';
import type {HttpRequest, Reply, Routes} from '../../../core/api/plugin.js';
import {listOf, quote} from '../../../core/toolkit/messages.js';
import {CONTENT_TYPES, encodingOf, responseBytes, responseJson} from '../encoding.js';
import type {SpanIntake} from '../span-intake.js';
import {statusReply} from './errors.js';

/** `POST /v1/traces`: answered in the encoding of the request, when what can be stored of it is. */
export function otlpRoutes(routes: Routes, intake: SpanIntake): void {
  routes.add({methods: ['POST'], path: '/v1/traces', body: 'bytes', work: 'write'}, request => take(request, intake));
}

async function take(request: HttpRequest, intake: SpanIntake): Promise<Reply> {
  const encoding = encodingOf(request.headers['content-type']);
  if (encoding === undefined) return refuseType(request);
  const partial = await intake.take(request.body, encoding, request);
  const body = encoding === 'json' ? responseJson(partial) : responseBytes(partial);
  return {status: 200, headers: {'content-type': CONTENT_TYPES[encoding]}, body};
}

function refuseType(request: HttpRequest): Reply {
  const expected = listOf(Object.values(CONTENT_TYPES), 'or');
  const message = `found the content type ${quote(request.headers['content-type'])}, expected ${expected}`;
  return statusReply(415, {code: status.INVALID_ARGUMENT, message}, request);
}
