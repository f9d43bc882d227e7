import {GatewayError, type HttpRequest, type Reply, type Routes} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {type Fields, isFields} from '../formats/refusal.js';
import type {Instances} from '../skywalking/instances.js';

/** `ManagementService` of the SkyWalking report protocol over HTTP: the same messages in JSON, answered with no commands. */
export function managementRoutes(routes: Routes, instances: Instances): void {
  for (const path of ['/v3/management/reportProperties', '/v3/management/keepAlive']) {
    routes.add({methods: ['POST'], path, body: 'bytes', work: 'write'}, request => observe(request, instances));
  }
}

async function observe(request: HttpRequest, instances: Instances): Promise<Reply> {
  await instances.observe(messageOf(request.body), request);
  return {status: 200, body: '{}'};
}

function messageOf(body: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body));
  } catch (cause) {
    throw new GatewayError('bad_request', `the body is no JSON in UTF-8: ${(cause as Error).message}`, {cause});
  }
  if (!isFields(value))
    throw new GatewayError('bad_request', `found ${quote(value)}, expected an instance as a JSON object`);
  return value;
}
