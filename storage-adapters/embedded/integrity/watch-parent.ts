import {workerData} from 'node:worker_threads';

/** The thread of `endWithParent`. */
const BETWEEN_LOOKS_MS = 500;

// A process whose parent has ended is given to another one.
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, BETWEEN_LOOKS_MS);
