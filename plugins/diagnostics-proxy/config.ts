import {type ConfigMistake, type JsonSchema, LONGEST_WAIT, type LogFields} from '../../core/api/plugin.js';
import {listenAddress, listenAddressMistakes} from '../../core/toolkit/grpc/listen-address.js';
import {MS_PER_SECOND} from '../../core/toolkit/time.js';
import {type ServerTls, serverTlsMistakes, serverTlsSchema} from '../../core/toolkit/tls/server-tls.js';

/** Times are milliseconds. */
export interface ProxyConfig {
  readonly grpcListenAddr: string;
  readonly agentHeartbeatTimeout: number;
  readonly agentCleanupTimeout: number;
  readonly maxAgents: number;
  readonly grpcMaxMsgSize: number;
  readonly heartbeatInterval: number;
  readonly grpcTls?: ServerTls;
  readonly grpcAccess: boolean;
}

/** No message can be larger. */
const LARGEST = 2 ** 31 - 1;

const duration = (description: string, value: string, minimum: number): JsonSchema => ({
  type: ['number', 'string'],
  format: 'duration',
  description,
  default: value,
  minimum,
  maximum: LONGEST_WAIT,
});

export const CONFIG_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    grpcListenAddr: {
      ...listenAddress(
        'Where agents connect, as host:port; without a host on every address, port 0 takes any free one.',
      ),
      default: ':17912',
    },
    agentHeartbeatTimeout: duration('An agent without a heartbeat for so long is offline.', '30s', 1),
    agentCleanupTimeout: duration('An agent that has been offline for so long is removed.', '5m', 1),
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
      maximum: LARGEST,
      default: 4_194_304,
      description: 'The largest message of an agent, in bytes.',
    },
    heartbeatInterval: duration(
      'The interval that agents are told at registration, in whole seconds, at least 1.',
      '10s',
      0,
    ),
    grpcTls: serverTlsSchema('TLS of the address where agents connect.'),
    grpcAccess: {
      type: 'boolean',
      default: false,
      description: 'Ask agents for a token with the right agent, as the block access of the configuration has them.',
    },
  },
};

/** An agent must have been offline before it can be removed for it; and ports end somewhere. */
export function checkConfig(config: ProxyConfig): readonly ConfigMistake[] {
  const {grpcListenAddr, agentHeartbeatTimeout, agentCleanupTimeout} = config;
  const mistakes: ConfigMistake[] = [
    ...listenAddressMistakes('grpcListenAddr', grpcListenAddr),
    ...serverTlsMistakes(config.grpcTls, 'grpcTls'),
  ];
  if (agentCleanupTimeout <= agentHeartbeatTimeout) {
    const message = `found ${agentCleanupTimeout} ms, expected more than agentHeartbeatTimeout, ${agentHeartbeatTimeout} ms`;
    mistakes.push({key: 'agentCleanupTimeout', message});
  }
  return mistakes;
}

/** The interval that agents are told, in seconds: the wire has whole ones, and none would leave it to them. */
export const toldSeconds = ({heartbeatInterval}: ProxyConfig): number =>
  Math.max(1, Math.trunc(heartbeatInterval / MS_PER_SECOND));

/** A line of the log about options: a key is not in the message, so that a program that has flags instead can name those. */
export interface ConfigWarning {
  readonly message: string;
  /** The keys that the message is about. */
  readonly options: readonly (keyof ProxyConfig)[];
  readonly fields?: LogFields;
}

/** What the configuration asks for that proxies of the database take too, and that hardly anybody can mean. */
export function warningsOf(config: ProxyConfig): readonly ConfigWarning[] {
  const {heartbeatInterval, agentHeartbeatTimeout, maxAgents} = config;
  const told = MS_PER_SECOND * toldSeconds(config);
  const warnings: ConfigWarning[] = [];
  if (told !== heartbeatInterval) {
    warnings.push({
      message: 'the heartbeat interval is told to agents in whole seconds, at least 1',
      options: ['heartbeatInterval'],
      fields: {milliseconds: heartbeatInterval, told},
    });
  }
  if (told >= agentHeartbeatTimeout) {
    warnings.push({
      message:
        'the heartbeat interval is not less than the heartbeat timeout: agents go offline between two heartbeats that are in time',
      options: ['heartbeatInterval', 'agentHeartbeatTimeout'],
      fields: {interval: told, timeout: agentHeartbeatTimeout},
    });
  }
  if (maxAgents === 0) warnings.push({message: 'no agent can register: at most 0 may be', options: ['maxAgents']});
  return warnings;
}
