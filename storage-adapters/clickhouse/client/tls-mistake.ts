import {Pool} from 'undici';

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
export function tlsMistake(problem: unknown): string | undefined {
  const {code = '', message = ''} = problem as {readonly code?: string; readonly message?: string};
  if (/wrong version number|packet length too long/i.test(message)) {
    return 'it does not speak TLS: write http:// in urls';
  }
  // A server of TLS answers plain text with an alert, which is no HTTP.
  if (code.startsWith('HPE_')) return 'what answers is no HTTP; if it speaks TLS, write https:// in urls';
  if (
    /alert (certificate required|bad certificate|unknown ca|handshake failure)|alert number (40|42|48|116)/i.test(
      message,
    )
  ) {
    return 'it asks for a certificate of its clients, which the clickhouse adapter does not send';
  }
  if (/CERT|SIGNATURE/.test(code) && !code.startsWith('UND_')) {
    return 'its certificate is not trusted, or is of another name: set NODE_EXTRA_CA_CERTS for an authority of your own, and name the host in urls as the certificate does';
  }
  return undefined;
}
