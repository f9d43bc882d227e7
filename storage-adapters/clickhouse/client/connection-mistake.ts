import {Pool} from 'undici';
import {type TlsFailureTerms, tlsFailure} from '../../../core/toolkit/tls/tls-failure.js';

const PATIENCE = 3000;

/** Whether a server that is named with `http:` answers over TLS, whatever its certificate. */
export async function answersOverTls(url: string): Promise<boolean> {
  if (!url.startsWith('http:')) return false;
  // Nothing is said over this connection, so nobody has to be trusted.
  const pool = new Pool(url.replace(/^http:/, 'https:'), {connect: {rejectUnauthorized: false, timeout: PATIENCE}});
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const {body} = await pool.request({path: '/ping', method: 'GET', headersTimeout: PATIENCE, signal});
    await body.dump();
    return true;
  } catch {
    return false;
  } finally {
    await pool.destroy();
  }
}

/** What keeps a connection from ever being made, and what to do about it; undefined for what may pass by itself. */
export function connectionMistake(problem: unknown, tls: TlsFailureTerms): string | undefined {
  const {code = '', message = ''} = problem as {readonly code?: string; readonly message?: string};
  if (/wrong version number|packet length too long/i.test(message)) {
    return `it does not speak TLS: write http:// in urls (${message})`;
  }
  // A server of TLS answers plain text with an alert, which is no HTTP.
  if (code.startsWith('HPE_')) return `what answers is no HTTP (${message}); if it speaks TLS, write https:// in urls`;
  const {cause} = problem as {readonly cause?: unknown};
  return tlsFailure(problem, tls) ?? (cause instanceof Error ? tlsFailure(cause, tls) : undefined);
}
