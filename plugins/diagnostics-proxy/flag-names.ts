import type {Logger} from '../../core/api/plugin.js';
import type {ProxyConfig} from './config.js';

/** The flag of the program for each key of the plugin's configuration, and for those of its one block. */
const FLAGS: Readonly<Record<Exclude<keyof ProxyConfig, 'grpcTls' | 'grpcAccess'>, string>> &
  Readonly<Record<string, string>> = {
  grpcListenAddr: '--grpc-listen-addr',
  grpcMaxMsgSize: '--grpc-max-msg-size',
  maxAgents: '--max-agents',
  agentHeartbeatTimeout: '--agent-heartbeat-timeout',
  agentCleanupTimeout: '--agent-cleanup-timeout',
  heartbeatInterval: '--heartbeat-interval',
  'grpcTls.certificate': '--grpc-tls-cert-file',
  'grpcTls.key': '--grpc-tls-key-file',
  'grpcTls.clientCa': '--grpc-tls-client-ca-file',
};

/** The flag of the program for the address of the listener. */
export const LISTENER_FLAG = '--http-listen-addr';

const OTHERS: Readonly<Record<string, string>> = {
  'listeners.diagnostics.host': LISTENER_FLAG,
  'listeners.diagnostics.port': LISTENER_FLAG,
  'listeners.diagnostics.tls.certificate': '--http-tls-cert-file',
  'listeners.diagnostics.tls.key': '--http-tls-key-file',
  'access.file': '--access-file',
};

/** The flag for a key; what is no key of the plugin stays as it is. */
export const flagOf = (option: string): string => FLAGS[option] ?? option;

/** The flag for the path of a key in the configuration that the program makes: of its one plugin, or of its listener. */
export function flagOfPath(path: string): string {
  const [, option] = /^plugins\[0\]\.config\.([\w.]+)$/.exec(path) ?? [];
  if (option !== undefined) return flagOf(option);
  return OTHERS[path] ?? path;
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
