import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {join} from 'node:path';
import type {Owner} from '../gateway.js';
import {located} from '../programs.js';
import {memoryFolder} from './memory-folder.js';
import {freePorts} from './ports.js';
import {ServerProcess} from './server-process.js';

const PATIENCE = 2000;
/** It lives for minutes: code that is compiled quickly costs it less than code that runs quickly, and one thread collects its garbage. */
const JVM = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

export class ZooKeeper {
  readonly port: number;
  readonly process: ServerProcess;

  constructor(port: number, process: ServerProcess) {
    this.port = port;
    this.process = process;
  }

  /** How many nodes its sessions watch, all together. */
  async watches(): Promise<number> {
    return Number(/zk_watch_count\t(\d+)/.exec(await command(this.port, 'mntr'))?.[1]);
  }
}

/** Starts Debian's ZooKeeper, alone, with little memory; killed and removed at the end of its owner. */
export async function startZooKeeper(t: Owner): Promise<ZooKeeper> {
  const folder = await memoryFolder(t);
  const [port = 0] = await freePorts(1);
  await mkdir(join(folder, 'data'));
  const file = join(folder, 'zoo.cfg');
  await writeFile(
    file,
    `tickTime=500
dataDir=${join(folder, 'data')}
clientPort=${port}
clientPortAddress=127.0.0.1
admin.enableServer=false
forceSync=no
4lw.commands.whitelist=srvr, mntr
`,
  );
  const process = new ServerProcess(t, {
    command: 'java',
    args: [...JVM, '-cp', located('zookeeper'), 'org.apache.zookeeper.server.quorum.QuorumPeerMain', file],
    folder,
    // It takes connections before it serves.
    isUp: async () => (await command(port, 'srvr')).includes('Mode: standalone'),
  });
  await process.start();
  return new ZooKeeper(port, process);
}

/** The answer to one of its commands of four letters. */
async function command(port: number, name: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  // A connection that is made while it starts may stay without an answer for ever.
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`ZooKeeper does not answer to ${name}`)));
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await once(socket, 'connect');
  socket.write(name);
  await once(socket, 'close');
  return answer;
}
