import type {Call} from '../api/call.js';
import {CAPABILITY_METHODS, type CapabilityName, type Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {ExportPage, ExportRequest} from '../api/export.js';
import {VERSION} from '../version.js';
import type {AdminClient} from './admin-client.js';
import {isInPieces} from './answer-call.js';
import {decodeFrames, encodeFrame} from './frames.js';
import {type AnswerFrame, type HeldStorage, READ_PATH, type RemoteCall, STORAGE_PATH, WRITE_PATH} from './messages.js';

/**
 * The readers and writers of the storage of a running gateway that has `holds` open. Rejects where the gateway cannot be
 * asked, or has not.
 */
export async function remoteReaders(client: AdminClient, holds: string, signal: AbortSignal): Promise<Readers> {
  const path = `${STORAGE_PATH}?${new URLSearchParams({holds})}`;
  const chunks: Uint8Array[] = [];
  for await (const chunk of client.ask({method: 'GET', path, signal})) chunks.push(chunk);
  const {version, capabilities} = JSON.parse(Buffer.concat(chunks).toString()) as HeldStorage;
  if (version !== VERSION) {
    throw new GatewayError(
      'storage_failed',
      `the gateway at ${client.address} is of version ${version}, and this command of ${VERSION}`,
    );
  }
  return Object.fromEntries(
    capabilities.map(capability => {
      const methods = Object.keys(CAPABILITY_METHODS[capability]);
      return [capability, Object.fromEntries(methods.map(name => [name, methodOf(client, holds, capability, name)]))];
    }),
  ) as Readers;
}

function methodOf(client: AdminClient, holds: string, capability: CapabilityName, method: string) {
  const ask = (parameters: readonly unknown[], call: Call): AsyncGenerator<AnswerFrame> => {
    const body = encodeFrame({holds, capability, method, parameters} satisfies RemoteCall);
    return framesOf(client, capability.startsWith('ingest.') ? WRITE_PATH : READ_PATH, body, call.signal);
  };
  if (!isInPieces({capability, method})) {
    return async (...all: unknown[]): Promise<unknown> => {
      for await (const frame of ask(all.slice(0, -1), all.at(-1) as Call)) if ('end' in frame) return frame.end;
      throw brokenOff(client);
    };
  }
  if (capability.startsWith('export.')) {
    return (request: ExportRequest, call: Call) => pagesOf(client, request, again => ask([again], call));
  }
  return async function* (...all: unknown[]): AsyncGenerator<unknown> {
    for await (const frame of ask(all.slice(0, -1), all.at(-1) as Call)) {
      if ('end' in frame) return;
      if ('piece' in frame) yield frame.piece;
    }
    throw brokenOff(client);
  };
}

/** Asks again for what is behind the last page, until that was all. */
async function* pagesOf(
  client: AdminClient,
  request: ExportRequest,
  ask: (request: ExportRequest) => AsyncIterable<AnswerFrame>,
): AsyncGenerator<ExportPage<unknown>> {
  let next = request;
  for (;;) {
    let ended = false;
    let goesOn = false;
    for await (const frame of ask(next)) {
      if ('end' in frame) ended = true;
      if ('more' in frame) goesOn = true;
      if (!('piece' in frame)) continue;
      const page = frame.piece as ExportPage<unknown>;
      next = {...request, after: page.resume};
      yield page;
    }
    if (ended) return;
    if (!goesOn) throw brokenOff(client);
  }
}

async function* framesOf(
  client: AdminClient,
  path: string,
  body: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<AnswerFrame> {
  for await (const value of decodeFrames(client.ask({method: 'POST', path, body, signal}))) {
    const frame = value as AnswerFrame;
    if ('failed' in frame) throw new GatewayError(frame.failed.code, frame.failed.message);
    yield frame;
  }
}

function brokenOff({address}: AdminClient): GatewayError {
  return new GatewayError('storage_unavailable', `the answer of the gateway at ${address} has broken off`);
}
