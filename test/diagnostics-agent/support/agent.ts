import {parseFlags} from '../../../core/cli/flags/parse.js';
import {Agent} from '../../../diagnostics-agent/agent.js';
import {FLAGS, optionsOf} from '../../../diagnostics-agent/flags.js';
import type {Metric} from '../../../plugins/diagnostics/proto/contract.js';
import type {LogLine, Owner} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {until} from './until.js';

export interface RunningAgent {
  readonly url: string;
  readonly log: LogLine[];
  logged(message: string): Promise<LogLine>;
  /** A value of the agent's own page; undefined when it is not there. */
  own(series: string): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** Runs an agent with these flags, on a free port, scraping nothing unless told to; stopped at the end of the test. */
export async function startAgent(t: Owner, flags: Readonly<Record<string, string | number>>): Promise<RunningAgent> {
  const defaults = {'prometheus-listen-addr': '127.0.0.1:0', 'poll-metrics-ports': 1, 'lifecycle-port': 0};
  const words = Object.entries({...defaults, ...flags}).map(([name, value]) => `--${name}=${value}`);
  const log: LogLine[] = [];
  const loggerOf = (component: string) => {
    const write = (level: string) => (msg: string, fields?: object) =>
      void log.push({level, component, msg, ...fields});
    return {debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error')};
  };
  const agent = new Agent(optionsOf(parseFlags(FLAGS, words)), loggerOf);
  const url = await agent.start();
  t.teardown(() => agent.stop());
  return {
    url,
    log,
    logged: message => until(() => log.find(({msg}) => msg === message), `the log line "${message}"`),
    own: async series => {
      const {text} = await get(`${url}/metrics`);
      const line = text.split('\n').find(each => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
    stop: () => agent.stop(),
  };
}

/** A metric on one line: what a test compares. */
export function shown({name, labels, value}: Metric): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([key, each]) => `${key}="${each}"`).join(',')}} ${value}`;
}
