import type {ConfigMistake, JsonSchema} from '../../core/api/plugin.js';
import {ADDRESS_PATTERN, expectedAddress} from './address.js';

/** Times are milliseconds. */
export interface ProxyConfig {
  readonly grpcListenAddr: string;
  readonly agentHeartbeatTimeout: number;
  readonly agentCleanupTimeout: number;
  readonly maxAgents: number;
  readonly grpcMaxMsgSize: number;
  readonly heartbeatInterval: number;
}

/** Longer ones do not fit the timers of the runtime. */
const LONGEST = 2 ** 31 - 1;

const duration = (description: string, value: string): JsonSchema => ({
  type: ['number', 'string'],
  format: 'duration',
  description,
  default: value,
  minimum: 1,
  maximum: LONGEST,
});

export const CONFIG_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    grpcListenAddr: {
      type: 'string',
      pattern: ADDRESS_PATTERN,
      'x-pattern': 'is host:port or :port',
      default: ':17912',
      description: 'Where agents connect, as host:port; without a host on every address, port 0 takes any free one.',
    },
    agentHeartbeatTimeout: duration('An agent without a heartbeat for so long is offline.', '30s'),
    agentCleanupTimeout: duration('An agent that has been offline for so long is removed.', '5m'),
    maxAgents: {
      type: 'integer',
      minimum: 0,
      default: 1000,
      description: 'How many agents may be registered. One that is registered already may come again.',
    },
    grpcMaxMsgSize: {
      type: ['integer', 'string'],
      format: 'byte-size',
      minimum: 1,
      maximum: LONGEST,
      default: 4_194_304,
      description: 'The largest message of an agent, in bytes.',
    },
    heartbeatInterval: duration('The interval that agents are told at registration.', '10s'),
  },
};

/**
 * An agent must have been offline before it can be removed for it, and one that sends its heartbeats in time must not go
 * offline; and ports end somewhere.
 */
export function checkConfig(config: ProxyConfig): readonly ConfigMistake[] {
  const {grpcListenAddr, agentHeartbeatTimeout, agentCleanupTimeout, heartbeatInterval} = config;
  const mistakes: ConfigMistake[] = [];
  const expected = expectedAddress(grpcListenAddr);
  if (expected !== undefined) {
    mistakes.push({key: 'grpcListenAddr', message: `found "${grpcListenAddr}", expected ${expected}`});
  }
  if (agentCleanupTimeout <= agentHeartbeatTimeout) {
    const message = `found ${agentCleanupTimeout} ms, expected more than agentHeartbeatTimeout, ${agentHeartbeatTimeout} ms`;
    mistakes.push({key: 'agentCleanupTimeout', message});
  }
  if (!isWholeSeconds(heartbeatInterval)) {
    const message = `found ${heartbeatInterval} ms, expected whole seconds: agents are told nothing finer`;
    mistakes.push({key: 'heartbeatInterval', message});
  } else if (heartbeatInterval >= agentHeartbeatTimeout) {
    const message = `found ${heartbeatInterval} ms, expected less than agentHeartbeatTimeout, ${agentHeartbeatTimeout} ms`;
    mistakes.push({key: 'heartbeatInterval', message});
  }
  return mistakes;
}

/** Whether the wire can carry the interval. */
export const isWholeSeconds = (milliseconds: number): boolean => milliseconds % 1000 === 0;
