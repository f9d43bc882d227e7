import {setTimeout as sleep} from 'node:timers/promises';
import {Client, type ClientDuplexStream} from '@grpc/grpc-js';
import {GatewayError} from '../../core/api/errors.js';
import type {Logger} from '../../core/api/telemetry.js';
import {
  AGENT_ID,
  channelMethods,
  type PartialMessage,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
} from '../../plugins/diagnostics/proto/contract.js';
import {childOf} from '../child-signal.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import {type DataStream, type OpenStream, serve} from './data-stream.js';
import type {ProxySecurity} from './proxy-security.js';

const REGISTRATION_TIMEOUT_MS = 10_000;
/** How long streams may take to end at a stop. */
const GOODBYE_MS = 2000;

const OPTIONS = {
  // Only for a peer that vanished without a word. Proxies in Go take pings more often than every five minutes for abuse.
  'grpc.keepalive_time_ms': 310_000,
  'grpc.keepalive_timeout_ms': 20_000,
  'grpc.max_receive_message_length': 32 * 2 ** 20,
  // Each session connects at once. The pause between sessions is the agent's own, not the library's.
  'grpc.use_local_subchannel_pool': 1,
};

export interface SessionOptions {
  readonly proxyAddress: string;
  readonly security: ProxySecurity;
  /** What the agent says of itself now, when it registers and with each heartbeat. */
  readonly registration: () => PartialMessage<RegisterAgentRequest>;
  /** Milliseconds, asked before each heartbeat. */
  readonly heartbeatInterval: () => number;
  readonly streams: readonly DataStream<unknown>[];
  readonly onRegistered: (response: RegisterAgentResponse) => void;
  /** Milliseconds before a single stream is opened again. */
  readonly pause: () => number;
  readonly podName: string;
  readonly metrics: AgentMetrics;
  readonly log: Logger;
}

type Registration = ClientDuplexStream<PartialMessage<RegisterAgentRequest>, RegisterAgentResponse>;

/**
 * One connection to the proxy: registers, sends heartbeats and answers on the data streams. Resolves when the signal has
 * aborted and all streams have ended; rejects with the reason when the proxy refuses, is silent or goes away.
 */
export async function runSession(options: SessionOptions, stop: AbortSignal): Promise<void> {
  const {proxyAddress, security, streams, onRegistered, pause, podName, metrics, log} = options;
  const client = new Client(proxyAddress, security.credentials, OPTIONS);
  const session = childOf(stop);
  const {signal} = session;
  const calls = new Set<Promise<unknown>>();
  const track = <Request, Response>(call: ClientDuplexStream<Request, Response>) => {
    // A stream that nobody reads at the moment must not end the process.
    call.on('error', () => undefined);
    calls.add(new Promise(resolve => call.once('close', resolve).once('status', resolve)));
    return call;
  };
  try {
    const {path, requestSerialize, responseDeserialize} = channelMethods.RegisterAgent;
    const registration: Registration = track(
      client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, security.metadata()),
    );
    const replies = registration[Symbol.asyncIterator]();
    signal.addEventListener('abort', () => void registration.end());
    registration.write(options.registration());
    const response = await registered(replies, signal);
    if (response === undefined) return;
    onRegistered(response);

    const open: OpenStream = ({path, decode}) => {
      const metadata = security.metadata();
      metadata.set(AGENT_ID, response.agent_id);
      return track(client.makeBidiStreamRequest(path, (bytes: Buffer) => bytes, decode, metadata));
    };
    const services = {open, metrics, log, podName, pause};
    await Promise.race([
      beat(registration, options, signal),
      watch(replies, signal),
      ...streams.map(stream => untilAborted(serve(stream, services, signal), signal)),
    ]);
  } finally {
    session.abort();
    session.release();
    await Promise.race([Promise.all(calls), sleep(GOODBYE_MS, undefined, {ref: false})]);
    client.close();
  }
}

/** The answer to the registration; undefined when the agent is to stop. */
async function registered(
  replies: AsyncIterator<RegisterAgentResponse>,
  signal: AbortSignal,
): Promise<RegisterAgentResponse | undefined> {
  const timeout = sleep(REGISTRATION_TIMEOUT_MS, undefined, {signal}).then(
    () => {
      throw new GatewayError(
        'timeout',
        `the proxy did not answer the registration in ${REGISTRATION_TIMEOUT_MS / 1000} s`,
      );
    },
    () => undefined,
  );
  const reply = await Promise.race([replies.next(), timeout]);
  if (reply === undefined || signal.aborted) return undefined;
  if (reply.done) throw ended();
  const {success, agent_id, message} = reply.value;
  if (success && agent_id !== '') return reply.value;
  throw new GatewayError('bad_request', `the proxy refused the registration: ${message || 'it gave no agent id'}`);
}

/** The proxy says nothing more on this stream but that it ends. */
async function watch(replies: AsyncIterator<RegisterAgentResponse>, signal: AbortSignal): Promise<void> {
  for (let reply = await replies.next(); !reply.done; ) reply = await replies.next();
  if (!signal.aborted) throw ended();
}

const ended = (): GatewayError => new GatewayError('storage_unavailable', 'the proxy ended the registration');

async function beat(
  registration: Registration,
  {registration: message, heartbeatInterval}: SessionOptions,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(heartbeatInterval(), undefined, {signal}).catch(() => undefined);
    if (signal.aborted) return;
    if (registration.writableNeedDrain) throw new GatewayError('timeout', 'the proxy does not take heartbeats');
    registration.write(message());
  }
}

/** A stream that is given up is no reason to end the session. */
async function untilAborted(served: Promise<void>, signal: AbortSignal): Promise<void> {
  await served;
  if (!signal.aborted) await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
}
