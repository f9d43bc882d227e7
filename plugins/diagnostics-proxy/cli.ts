#!/usr/bin/env node
import type {Logger} from '../../core/api/plugin.js';
import {flagError} from '../../core/cli/flags/flag-error.js';
import {formatGoDuration} from '../../core/cli/flags/go-duration.js';
import {duration, integer, text} from '../../core/cli/flags/kinds.js';
import {type FlagValues, flag} from '../../core/cli/flags/parse.js';
import {runProgram} from '../../core/cli/program.js';
import {ConfigError, createGateway, type Gateway, loadConfig} from '../../core/gateway.js';
import {type Address, expectedAddress, parseAddress} from './address.js';
import {isWholeSeconds} from './config.js';
import {inFlags} from './flag-names.js';

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
};

type Values = FlagValues<typeof flags>;

/** Timers hold no more milliseconds. */
const LONGEST = 2 ** 31 - 1;

function address(values: Values, name: 'grpc-listen-addr' | 'http-listen-addr'): Address {
  const found = parseAddress(values[name]);
  if (found !== undefined) return found;
  throw flagError(`--${name}: found ${JSON.stringify(values[name])}, expected ${expectedAddress(values[name])}`);
}

function time(values: Values, name: keyof Values & `${string}-${'timeout' | 'interval'}`, least: number): number {
  const value = values[name];
  if (value >= least && value <= LONGEST) return value;
  const bound =
    value > LONGEST ? `at most ${formatGoDuration(LONGEST)}` : least === 0 ? 'no less than 0s' : 'at least 1ms';
  throw flagError(`--${name}: found ${formatGoDuration(value)}, expected ${bound}`);
}

function count(values: Values, name: 'max-agents' | 'grpc-max-msg-size', least: number): number {
  const value = values[name];
  if (value >= least && value <= LONGEST) return value;
  throw flagError(`--${name}: found ${value}, expected a number from ${least} to ${LONGEST}`);
}

/** The configuration of a gateway that has this plugin alone. */
function configuration(values: Values): object {
  address(values, 'grpc-listen-addr');
  const heartbeatTimeout = time(values, 'agent-heartbeat-timeout', 1);
  const cleanupTimeout = time(values, 'agent-cleanup-timeout', 1);
  if (cleanupTimeout <= heartbeatTimeout) {
    const [cleanup, heartbeat] = [cleanupTimeout, heartbeatTimeout].map(formatGoDuration);
    throw flagError(`agent-cleanup-timeout (${cleanup}) must be greater than agent-heartbeat-timeout (${heartbeat})`);
  }
  const interval = time(values, 'heartbeat-interval', 1);
  if (!isWholeSeconds(interval)) {
    throw flagError(`--heartbeat-interval: found ${formatGoDuration(interval)}, expected whole seconds`);
  }
  if (interval >= heartbeatTimeout) {
    const [each, heartbeat] = [interval, heartbeatTimeout].map(formatGoDuration);
    throw flagError(`heartbeat-interval (${each}) must be less than agent-heartbeat-timeout (${heartbeat})`);
  }
  return {
    listeners: {
      diagnostics: {
        ...address(values, 'http-listen-addr'),
        readTimeout: time(values, 'http-read-timeout', 0),
        writeTimeout: time(values, 'http-write-timeout', 0),
      },
    },
    plugins: [
      {
        use: 'diagnostics-proxy',
        config: {
          grpcListenAddr: values['grpc-listen-addr'],
          agentHeartbeatTimeout: heartbeatTimeout,
          agentCleanupTimeout: cleanupTimeout,
          maxAgents: count(values, 'max-agents', 0),
          grpcMaxMsgSize: count(values, 'grpc-max-msg-size', 1),
          heartbeatInterval: interval,
        },
      },
    ],
    shutdownTimeout: '5s',
  };
}

async function started(gateway: Gateway): Promise<Readonly<Record<string, string>>> {
  try {
    return await gateway.start();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ConfigError) throw error;
    throw new Error(inFlags(error.message), {cause: error});
  }
}

function speakingFlags(log: Logger): Logger {
  return {
    debug: (message, fields) => log.debug(inFlags(message), fields),
    info: (message, fields) => log.info(inFlags(message), fields),
    warn: (message, fields) => log.warn(inFlags(message), fields),
    error: (message, fields) => log.error(inFlags(message), fields),
  };
}

await runProgram({
  name: 'diagnostics-proxy',
  description: 'Collects metrics, topology and lifecycle of a database cluster from the agents on its nodes.',
  flags,
  start: async (values, loggerOf, signal) => {
    const builtins = {plugins: {'diagnostics-proxy': () => import('./plugin.js')}, adapters: {}};
    // Only flags configure this program: no variable of the environment does.
    const config = await loadConfig({value: configuration(values), folder: '.'}, builtins, {});
    const gateway = createGateway(config, {loggerOf: component => speakingFlags(loggerOf(component))});
    signal.addEventListener('abort', () => void gateway.stop().catch(() => undefined), {once: true});
    return {listeners: await started(gateway), stop: () => gateway.stop()};
  },
});
