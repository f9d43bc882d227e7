import {type IncomingHttpHeaders, request} from 'node:http';
import {type Agent, request as secureRequest} from 'node:https';
import type {TLSSocket} from 'node:tls';

export interface SecureAsk {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** PEM: whom to trust, and what to show. */
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly maxVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** One that keeps connections; each request has its own without. */
  readonly agent?: Agent;
}

export interface SecureAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Headers of one name as they came, each a line. */
  readonly lines: (name: string) => readonly string[];
  readonly text: string;
  /** The common name of the certificate that the server has shown. */
  readonly shown: string | undefined;
}

/** One request over HTTP or HTTPS, by Node.js's own client, which sends `Host` and `Origin` as they are given. */
export function askSecurely(url: string, options: SecureAsk = {}): Promise<SecureAnswer> {
  const {method = 'GET', headers = {}, body, agent = false, ...tls} = options;
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secureRequest : request;
    const sent = send(url, {method, headers, agent, ...tls}, response => {
      const socket = response.socket as Partial<TLSSocket>;
      const [shown] = [socket.getPeerCertificate?.().subject?.CN].flat();
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const {rawHeaders} = response;
          const lines = (name: string): readonly string[] =>
            rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({status: response.statusCode ?? 0, headers: response.headers, lines, text, shown});
        });
    });
    sent.on('error', reject).end(body);
  });
}
