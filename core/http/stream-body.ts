import type {ServerResponse} from 'node:http';

/** Writes a body in pieces as fast as the client takes them. Cuts the connection, and rejects, when one cannot be made. */
export async function streamBody(response: ServerResponse, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    if (response.req.method !== 'HEAD') {
      for await (const piece of pieces) {
        if (response.destroyed) return;
        if (!response.write(piece)) await writable(response);
      }
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Resolves when more can be written, or nothing can any more. */
function writable(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    if (response.destroyed) {
      resolve();
      return;
    }
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
