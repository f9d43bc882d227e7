import type {Logger} from '../../core/api/plugin.js';
import type {ProxyConfig} from './config.js';

/** The flag of the program for each key of the plugin's configuration. */
const FLAGS: Readonly<Record<keyof ProxyConfig, string>> = {
  grpcListenAddr: '--grpc-listen-addr',
  grpcMaxMsgSize: '--grpc-max-msg-size',
  maxAgents: '--max-agents',
  agentHeartbeatTimeout: '--agent-heartbeat-timeout',
  agentCleanupTimeout: '--agent-cleanup-timeout',
  heartbeatInterval: '--heartbeat-interval',
};

/** The flag of the program for the address of the listener. */
export const LISTENER_FLAG = '--http-listen-addr';

/** The flag for a key; what is no key of the plugin stays as it is. */
export const flagOf = (option: string): string => FLAGS[option as keyof ProxyConfig] ?? option;

/** The flag for the path of a key in the configuration that the program makes: of its one plugin, or of its listener. */
export function flagOfPath(path: string): string {
  const [, option] = /^plugins\[0\]\.config\.(\w+)$/.exec(path) ?? [];
  if (option !== undefined) return flagOf(option);
  return /^listeners\.diagnostics\.(?:host|port)$/.test(path) ? LISTENER_FLAG : path;
}

/** A log that names flags where a line is about options: whoever started the program with flags has never seen a key. */
export function speakingFlags(log: Logger): Logger {
  const inFlags = (fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => {
    const {options, ...others} = fields;
    return Array.isArray(options) ? {flags: options.map(option => flagOf(String(option))), ...others} : fields;
  };
  return {
    debug: (message, fields) => log.debug(message, inFlags(fields)),
    info: (message, fields) => log.info(message, inFlags(fields)),
    warn: (message, fields) => log.warn(message, inFlags(fields)),
    error: (message, fields) => log.error(message, inFlags(fields)),
  };
}
