/** The flag of the program for each key of the plugin's configuration, and for its listener. */
const FLAGS: Readonly<Record<string, string>> = {
  grpcListenAddr: '--grpc-listen-addr',
  grpcMaxMsgSize: '--grpc-max-msg-size',
  maxAgents: '--max-agents',
  agentHeartbeatTimeout: '--agent-heartbeat-timeout',
  agentCleanupTimeout: '--agent-cleanup-timeout',
  heartbeatInterval: '--heartbeat-interval',
  'the listener "diagnostics"': '--http-listen-addr',
};

const KEYS = new RegExp(Object.keys(FLAGS).join('|'), 'g');

/** What a gateway says before the reason; here there is no other plugin. */
const PREFIX = /^the plugin diagnostics-proxy did not start: /;

/** A message of the plugin as the program says it: whoever started it with flags has never seen a key. */
export function inFlags(message: string): string {
  return message.replace(PREFIX, '').replace(KEYS, key => FLAGS[key] ?? key);
}
