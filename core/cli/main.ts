#!/usr/bin/env node
import {runCommandLine} from './command-line.js';
import {EXIT, printed} from './exit.js';
import {forceExit} from './force-exit.js';

// Whoever reads the output may go away, as `head` does: a gateway goes on serving without.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const code = await runCommandLine(process.argv.slice(2));
await printed();
// Sockets, timers and threads of third-party code must not keep a command that has ended.
if (code === EXIT.failed) forceExit(EXIT.failed);
process.exit(code);
