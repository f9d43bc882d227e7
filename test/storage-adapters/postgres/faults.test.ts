import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startPostgres} from '../../support/servers/postgres.js';
import {testFaults} from '../faults/test-faults.js';

testFaults(test, {
  name: 'postgres',
  needs: ['postgres'],
  server: async (t, folder) => {
    const server = await startPostgres(t, folder === undefined ? {} : {data: join(folder, 'data')});
    const {process, port} = server;
    const signalAll = (signal: NodeJS.Signals): void => {
      for (const pid of [process.pid, ...childrenOf(process.pid)]) globalThis.process.kill(pid, signal);
    };
    return {
      port,
      process: {
        start: () => process.start(),
        stop: () => server.stop(),
        kill: () => process.kill(),
        pause: () => signalAll('SIGSTOP'),
        resume: () => signalAll('SIGCONT'),
      },
    };
  },
  storage: port => ({use: 'postgres', config: {url: `postgres://postgres@127.0.0.1:${port}/postgres`}}),
});

/** Each session is served by a process of its own. */
function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    return Number(rest.split(' ')[1]);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
