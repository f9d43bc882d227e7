#!/usr/bin/env node
import {LONGEST_WAIT} from '../../core/api/plugin.js';
import {flagError} from '../../core/cli/flags/flag-error.js';
import {duration, integer, path, text} from '../../core/cli/flags/flag-types.js';
import {formatGoDuration} from '../../core/cli/flags/go-duration.js';
import {type FlagValues, flag} from '../../core/cli/flags/parse.js';
import {runProgram} from '../../core/cli/program.js';
import {ConfigError} from '../../core/config/config-error.js';
import type {Gateway} from '../../core/gateway.js';
import {expectedHostPort, type HostPort, parseHostPort} from '../../core/toolkit/grpc/host-port.js';
import {quote} from '../../core/toolkit/messages.js';
import {flagOf, flagOfPath, LISTENER_FLAG, speakingFlags} from './flag-names.js';

const flags = {
  'grpc-listen-addr': flag(text, ':17912', 'gRPC address for agent connections'),
  'http-listen-addr': flag(text, ':17913', 'HTTP address for the REST and text exposition endpoints'),
  'agent-heartbeat-timeout': flag(duration, 30_000, 'agents without a heartbeat for this long are marked offline'),
  'agent-cleanup-timeout': flag(duration, 300_000, 'agents offline for longer than this are unregistered'),
  'max-agents': flag(integer, 1000, 'maximum number of agents that can register'),
  'grpc-max-msg-size': flag(integer, 4_194_304, 'maximum gRPC message size in bytes'),
  'http-read-timeout': flag(duration, 10_000, 'HTTP server read timeout; 0 for none'),
  'http-write-timeout': flag(duration, 10_000, 'HTTP server write timeout; 0 for none'),
  'heartbeat-interval': flag(duration, 10_000, 'heartbeat interval that agents are told at registration'),
  'access-file': flag(
    path,
    '',
    'JSON file of tokens and users: agents then need the right agent, readers over HTTP the right read',
  ),
  'http-tls-cert-file': flag(path, '', 'PEM file of the certificate of the HTTP address, which then speaks TLS'),
  'http-tls-key-file': flag(path, '', 'PEM file of the key of that certificate'),
  'grpc-tls-cert-file': flag(path, '', 'PEM file of the certificate of the gRPC address, which then speaks TLS'),
  'grpc-tls-key-file': flag(path, '', 'PEM file of the key of that certificate'),
  'grpc-tls-client-ca-file': flag(
    path,
    '',
    'PEM file of the authorities of agents, each of which then has to show a certificate',
  ),
};

type Values = FlagValues<typeof flags>;

/** No message can be larger. */
const LARGEST = 2 ** 31 - 1;

function address(values: Values, name: 'grpc-listen-addr' | 'http-listen-addr'): HostPort {
  const expected = expectedHostPort(values[name]);
  if (expected === undefined) return parseHostPort(values[name]);
  throw flagError(`--${name}: found ${quote(values[name])}, expected ${expected}`);
}

function timeout(values: Values, name: 'agent-heartbeat-timeout' | 'agent-cleanup-timeout'): number {
  const value = values[name];
  if (value >= 1) return ranged(values, name);
  throw flagError(`--${name}: found ${formatGoDuration(value)}, expected at least 1ms`);
}

/** Values that proxies of the database take, and mean by them the nearest one that there is. */
const RANGES = {
  // The other one must be more.
  'agent-heartbeat-timeout': [1, LONGEST_WAIT - 1],
  'agent-cleanup-timeout': [1, LONGEST_WAIT],
  // A negative one is no bound, as in Go.
  'http-read-timeout': [0, LONGEST_WAIT],
  'http-write-timeout': [0, LONGEST_WAIT],
  'heartbeat-interval': [0, LONGEST_WAIT],
  'max-agents': [0, Number.MAX_SAFE_INTEGER],
  // Not even a registration fits into one byte.
  'grpc-max-msg-size': [1, LARGEST],
} as const;

type Ranged = keyof typeof RANGES;

function ranged(values: Values, name: Ranged): number {
  const [least, most] = RANGES[name];
  return Math.min(Math.max(values[name], least), most);
}

/** The block `tls` that flags give; undefined when none of them is set. What is left out is a mistake of that flag. */
function tlsOf(values: Values, of: 'http' | 'grpc'): object | undefined {
  const files = {
    certificate: values[`${of}-tls-cert-file`],
    key: values[`${of}-tls-key-file`],
    clientCa: of === 'grpc' ? values['grpc-tls-client-ca-file'] : '',
  };
  const given = Object.entries(files).filter(([, path]) => path !== '');
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The configuration of a gateway that has this plugin alone. */
function configuration(values: Values): object {
  address(values, 'grpc-listen-addr');
  const heartbeatTimeout = timeout(values, 'agent-heartbeat-timeout');
  const cleanupTimeout = timeout(values, 'agent-cleanup-timeout');
  if (values['agent-cleanup-timeout'] <= values['agent-heartbeat-timeout']) {
    const {'agent-cleanup-timeout': cleanupGiven, 'agent-heartbeat-timeout': heartbeatGiven} = values;
    const [cleanup, heartbeat] = [cleanupGiven, heartbeatGiven].map(formatGoDuration);
    throw flagError(`agent-cleanup-timeout (${cleanup}) must be greater than agent-heartbeat-timeout (${heartbeat})`);
  }
  const [tls, grpcTls] = [tlsOf(values, 'http'), tlsOf(values, 'grpc')];
  const file = values['access-file'];
  return {
    ...(file !== '' && {access: {file}}),
    listeners: {
      diagnostics: {
        ...(tls && {tls}),
        ...address(values, 'http-listen-addr'),
        readTimeout: ranged(values, 'http-read-timeout'),
        writeTimeout: ranged(values, 'http-write-timeout'),
      },
    },
    plugins: [
      {
        use: 'diagnostics-proxy',
        config: {
          grpcListenAddr: values['grpc-listen-addr'],
          agentHeartbeatTimeout: heartbeatTimeout,
          agentCleanupTimeout: cleanupTimeout,
          maxAgents: ranged(values, 'max-agents'),
          grpcMaxMsgSize: ranged(values, 'grpc-max-msg-size'),
          heartbeatInterval: ranged(values, 'heartbeat-interval'),
          ...(grpcTls && {grpcTls}),
          grpcAccess: file !== '',
        },
      },
    ],
    shutdownTimeout: '5s',
  };
}

/** What is wrong with the configuration, by the flags that it was made of. */
function inFlags(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  return new ConfigError(error.problems.map(({path, message}) => ({path: flagOfPath(path), message})));
}

/** Starts it; an address that cannot be opened is one of the flag that gives it. */
async function started(gateway: Gateway): Promise<Readonly<Record<string, string>>> {
  const {ListenError} = await import('../../core/http/port.js');
  const {GrpcListenError} = await import('../../core/toolkit/grpc/grpc-server.js');
  try {
    return await gateway.start();
  } catch (error) {
    if (error instanceof ListenError) throw new Error(`${LISTENER_FLAG} ${error.problem}`, {cause: error});
    // The host says which of several plugins did not start; here there is one.
    const {cause} = error as Error;
    if (cause instanceof GrpcListenError) throw new Error(`${flagOf(cause.option)} ${cause.problem}`, {cause});
    throw error;
  }
}

await runProgram({
  name: 'diagnostics-proxy',
  description: 'Collects metrics, topology and lifecycle of a database cluster from the agents on its nodes.',
  flags,
  start: async (values, loggerOf, signal) => {
    const value = configuration(values);
    // Loaded here, so that help and a mistake in the flags do not wait for it.
    const {createGateway, loadConfig} = await import('../../core/gateway.js');
    const builtins = {plugins: {'diagnostics-proxy': () => import('./plugin.js')}, adapters: {}};
    // Only flags configure this program: no variable of the environment does.
    const config = await loadConfig({value, folder: '.'}, builtins, {}).catch(error => Promise.reject(inFlags(error)));
    const log = loggerOf('diagnostics-proxy');
    for (const name of Object.keys(RANGES) as Ranged[]) {
      const used = ranged(values, name);
      if (used !== values[name]) log.warn('the value of a flag is beyond its range', {flag: `--${name}`, used});
    }
    const gateway = createGateway(config, {loggerOf: component => speakingFlags(loggerOf(component))});
    signal.addEventListener('abort', () => void gateway.stop().catch(() => undefined), {once: true});
    return {listeners: await started(gateway), stop: () => gateway.stop()};
  },
});
