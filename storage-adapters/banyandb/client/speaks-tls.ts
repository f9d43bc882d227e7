import {connect} from 'node:tls';

const PATIENCE = 3000;

/** Whether a server answers a handshake of TLS, whatever its certificate. */
export function speaksTls(address: string, signal: AbortSignal): Promise<boolean> {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  return new Promise(resolve => {
    // Nothing is said over this connection, so nobody has to be trusted.
    const socket = connect({host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2']});
    const done = (answer: boolean): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve(answer);
    };
    const abort = (): void => done(false);
    signal.addEventListener('abort', abort, {once: true});
    socket.setTimeout(PATIENCE, () => done(false));
    socket.once('secureConnect', () => done(true));
    socket.on('error', () => done(false));
  });
}
