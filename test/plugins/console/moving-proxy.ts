import {once} from 'node:events';
import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A proxy that serves below `path` what `target` serves at its root, and tells nobody about it. */
export async function moveBelow(path: string, target: string): Promise<{readonly url: string; close(): Promise<void>}> {
  const server = createServer((incoming, response) => {
    const url = incoming.url ?? '';
    if (!url.startsWith(`${path}/`)) {
      response.writeHead(404).end();
      return;
    }
    const {method = 'GET', headers} = incoming;
    const sent = request(target + url.slice(path.length), {method, headers}, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
