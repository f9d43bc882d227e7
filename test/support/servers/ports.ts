import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type Server} from 'node:net';

/** Below those that systems give to outgoing connections, one of which could otherwise take a port before its server does. */
const FIRST = 10_000;
const END = 32_000;

/** Different ports of 127.0.0.1 that nobody uses at the moment, for servers that cannot choose their own. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held: {readonly port: number; readonly server: Server}[] = [];
  while (held.length < count) {
    const port = randomInt(FIRST, END);
    const server = await listenOn(port);
    if (server !== undefined) held.push({port, server});
  }
  await Promise.all(held.map(({server}) => once(server.close(), 'close')));
  return held.map(({port}) => port);
}

/** A server on this port of 127.0.0.1, or undefined when another one has it. */
export async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (problem) {
    if ((problem as {code?: string}).code === 'EADDRINUSE') return undefined;
    throw problem;
  }
}
