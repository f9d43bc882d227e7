import {loadConfig} from '../config/load.js';
import type {Wire} from '../workers/channel.js';
import {Worker} from '../workers/worker.js';
import {boundHeap} from './bounded-heap.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {createLog} from './log.js';
import {logWarnings} from './warnings.js';

/** The program of one of several processes that serve: `serve` starts it, and tells it over its channel what to do. */
process.title = 'query-gateway spare worker';
boundHeap();

const wire: Wire = {
  send: (message, socket) => {
    if (process.connected) process.send?.(message, socket, {}, () => undefined);
  },
  listen: listener =>
    void process.on('message', (message, handle) => listener(message, handle as Parameters<typeof listener>[1])),
};

const worker = new Worker(wire, {
  load: source => loadConfig(source, builtins),
  log: (config, index) => {
    process.title = `query-gateway worker ${index}`;
    const loggerOf = createLog(config.logLevel, index);
    const log = loggerOf('gateway');
    logWarnings(log);
    // A defect in one request must not end the others.
    process.on('unhandledRejection', reason => log.error('unhandled promise rejection', {err: reason}));
    return {loggerOf, inForce: ({logLevel}) => loggerOf.setLevel(logLevel)};
  },
  exit: isWell => process.exit(isWell ? EXIT.ok : EXIT.failed),
});

// What a terminal or a service manager sends to the whole group, the process that started this one answers.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const CHECK_INTERVAL = 500;

const parent = Number(process.argv[2]);
const orphaned = (): void => {
  clearInterval(watch);
  process.off('disconnect', orphaned);
  worker.orphaned();
};
// Where that process was killed in the middle of a message, nobody tells of the end of the channel.
const watch = setInterval(() => {
  if (process.ppid !== parent) orphaned();
}, CHECK_INTERVAL);
process.once('disconnect', orphaned);
