import {duration, integer, path, text, texts, toggle} from '../core/cli/flags/flag-types.js';
import {formatGoDuration} from '../core/cli/flags/go-duration.js';
import {type FlagValues, flag} from '../core/cli/flags/parse.js';
import {ConfigError} from '../core/config/config-error.js';
import {readFiles} from '../core/toolkit/files/file-set.js';
import {tlsFiles} from '../core/toolkit/tls/tls-files.js';
import type {AgentOptions} from './agent.js';
import {type ProxySecurityOptions, TLS_FLAGS, TOKEN_FLAG} from './channel/security-options.js';
import {tokenFile} from './channel/token-file.js';

export const FLAGS = {
  'poll-metrics-interval': flag(duration, 10_000, 'interval between scrapes of the local metrics endpoints'),
  'poll-metrics-ports': flag(texts, ['2121'], 'ports to scrape for /metrics; repeatable, or separated by commas'),
  'max-metrics-memory-usage-percentage': flag(
    integer,
    10,
    "share of the cgroup's memory, in percent, that recorded metrics may take",
  ),
  'prometheus-listen-addr': flag(text, ':9090', "address of the agent's own metrics endpoint"),
  'proxy-addr': flag(text, 'localhost:17900', 'gRPC address of the proxy to register with'),
  'proxy-tls': flag(
    toggle,
    false,
    "connect to the proxy over TLS, trusting the system's authorities unless --proxy-tls-ca-file names others",
  ),
  'proxy-tls-ca-file': flag(path, '', 'PEM file of the authorities to trust; implies --proxy-tls'),
  'proxy-tls-cert-file': flag(path, '', "PEM file of the agent's own certificate; implies --proxy-tls"),
  'proxy-tls-key-file': flag(path, '', 'PEM file of the key of that certificate'),
  'proxy-token-file': flag(path, '', 'file with the token that the proxy asks for, read again when it changes'),
  'pod-name': flag(
    text,
    '',
    'name of the pod, by which the proxy knows the agent; without it the agent does not register',
  ),
  'container-names': flag(texts, [], 'names of the containers behind --poll-metrics-ports, one for each port'),
  'heartbeat-interval': flag(duration, 10_000, 'interval between heartbeats, unless the proxy asks for another one'),
  'reconnect-interval': flag(duration, 5000, 'time between attempts to reach the proxy'),
  'cluster-state-ports': flag(
    texts,
    [],
    'gRPC ports to ask for the cluster state, from which the role of the node follows',
  ),
  'cluster-state-poll-interval': flag(duration, 30_000, 'interval between polls of the cluster state'),
  'lifecycle-port': flag(integer, 18_912, 'gRPC port of the lifecycle service; 0 collects no lifecycle data'),
  'lifecycle-report-dir': flag(text, '/tmp/lifecycle-reports', 'folder of the lifecycle reports'),
  'lifecycle-cache-ttl': flag(duration, 600_000, 'time for which collected lifecycle data is kept'),
} as const;

/** Timers hold no more milliseconds. */
const LONGEST = 2 ** 31 - 1;

type Values = FlagValues<typeof FLAGS>;

/** What the flags ask for. Throws a `ConfigError` with every value that cannot be. */
export function optionsOf(values: Values): AgentOptions {
  const problems: string[] = [];
  const check = (isGood: boolean, problem: string): void => {
    if (!isGood) problems.push(problem);
  };
  const ports = (name: 'poll-metrics-ports' | 'cluster-state-ports'): readonly number[] => {
    const numbers = values[name].map(each => (/^\s*\d{1,5}\s*$/.test(each) ? Number(each) : Number.NaN));
    numbers.forEach((port, i) => {
      const isPort = port >= 1 && port <= 65_535;
      check(isPort, `${name} must be ports from 1 to 65535, got ${JSON.stringify(values[name][i])}`);
      check(!isPort || numbers.indexOf(port) === i, `${name} names the port ${port} twice`);
    });
    return numbers;
  };
  const metricsPorts = ports('poll-metrics-ports');
  const clusterPorts = ports('cluster-state-ports');
  for (const name of [
    'poll-metrics-interval',
    'heartbeat-interval',
    'reconnect-interval',
    'cluster-state-poll-interval',
  ] as const) {
    const value = values[name];
    check(value > 0, `${name} must be greater than 0, got ${formatGoDuration(value)}`);
    check(value <= LONGEST, `${name} must be at most ${formatGoDuration(LONGEST)}, got ${formatGoDuration(value)}`);
  }
  check(metricsPorts.length > 0, 'poll-metrics-ports cannot be empty');
  const names = values['container-names'];
  check(
    names.length === 0 || names.length === metricsPorts.length,
    `container-names count (${names.length}) must match poll-metrics-ports count (${metricsPorts.length})`,
  );
  const percentage = values['max-metrics-memory-usage-percentage'];
  check(
    percentage >= 0 && percentage <= 100,
    `max-metrics-memory-usage-percentage must be between 0 and 100, got ${percentage}`,
  );
  const lifecyclePort = values['lifecycle-port'];
  check(
    lifecyclePort >= 0 && lifecyclePort <= 65_535,
    `lifecycle-port must be between 0 and 65535, got ${lifecyclePort}`,
  );
  const timeToLive = values['lifecycle-cache-ttl'];
  check(timeToLive >= 0, `lifecycle-cache-ttl must be 0 or greater, got ${formatGoDuration(timeToLive)}`);
  const listen = listenAddress(values['prometheus-listen-addr']);
  check(
    listen !== undefined,
    `prometheus-listen-addr must be host:port, got ${JSON.stringify(values['prometheus-listen-addr'])}`,
  );
  const proxy = proxyAddress(values['proxy-addr']);
  check(proxy !== undefined, `proxy-addr must be host:port, got ${JSON.stringify(values['proxy-addr'])}`);
  const security = securityOf(values, problems);
  if (problems.length > 0 || listen === undefined || proxy === undefined) {
    throw new ConfigError(problems.map(message => ({path: '', message})));
  }
  return {
    scrape: {
      interval: values['poll-metrics-interval'],
      endpoints: metricsPorts.map((port, i) => ({port, containerName: names[i] ?? ''})),
    },
    memoryPercentage: percentage,
    listen,
    podName: values['pod-name'],
    proxy: {
      address: proxy,
      ...security,
      heartbeatInterval: values['heartbeat-interval'],
      reconnectInterval: values['reconnect-interval'],
    },
    cluster: {ports: clusterPorts, interval: values['cluster-state-poll-interval']},
    lifecycle: {
      port: lifecyclePort,
      reportFolder: values['lifecycle-report-dir'],
      timeToLive,
    },
  };
}

/** How the proxy is spoken to. Adds a problem for each file that cannot be used. */
function securityOf(values: Values, problems: string[]): ProxySecurityOptions {
  const named = (name: keyof Values & `proxy-${string}-file`): string | undefined => values[name] || undefined;
  const tls = {
    ca: named('proxy-tls-ca-file'),
    certificate: named('proxy-tls-cert-file'),
    key: named('proxy-tls-key-file'),
  };
  const token = named('proxy-token-file');
  const readings = [
    readFiles(tlsFiles(tls, TLS_FLAGS)),
    ...(token === undefined ? [] : [readFiles(tokenFile(token, TOKEN_FLAG))]),
  ];
  for (const {mistakes = []} of readings) problems.push(...mistakes.map(({key, message}) => `${key} ${message}`));
  const isSecure = values['proxy-tls'] || Object.values(tls).some(path => path !== undefined);
  return {...(isSecure && {tls}), ...(token !== undefined && {tokenFile: token})};
}

/** What the gRPC library takes beside host and port. */
const TARGET = /^(?:dns|ipv4|ipv6|unix|unix-abstract):/;

/** A target of the gRPC library; `:17900` is a port of this machine. Empty stays empty. */
function proxyAddress(value: string): string | undefined {
  if (value === '' || TARGET.test(value)) return value;
  const {host, port = 0} = listenAddress(value) ?? {};
  if (port === 0) return undefined;
  return host === '' ? `localhost:${port}` : value;
}

/** `:9090`, `host:9090` or `[::1]:9090`. */
function listenAddress(value: string): AgentOptions['listen'] | undefined {
  const [, bracketed, plain = '', digits = ''] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  return digits === '' || port > 65_535 ? undefined : {host: bracketed ?? plain, port};
}
