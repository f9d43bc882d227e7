import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {join} from 'node:path';
import {type Owner, scratchFolder} from '../gateway.js';
import {located} from '../programs.js';
import {freePorts} from './ports.js';
import {ServerProcess} from './server-process.js';

export interface ZooKeeper {
  readonly port: number;
  readonly process: ServerProcess;
}

/** Starts Debian's ZooKeeper, alone, with little memory; killed and removed at the end of its owner. */
export async function startZooKeeper(t: Owner): Promise<ZooKeeper> {
  const folder = await scratchFolder(t);
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
4lw.commands.whitelist=ruok
`,
  );
  const process = new ServerProcess(t, {
    command: 'java',
    args: ['-Xmx256m', '-cp', located('zookeeper'), 'org.apache.zookeeper.server.quorum.QuorumPeerMain', file],
    folder,
    isUp: () => isOk(port),
  });
  await process.start();
  return {port, process};
}

async function isOk(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  await once(socket, 'connect');
  socket.write('ruok');
  await once(socket, 'close');
  return answer === 'imok';
}
