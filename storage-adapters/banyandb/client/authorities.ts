import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {GatewayError} from '../../../core/api/adapter.js';

/** The certificates of a file. Throws when it cannot be read, or has none. */
export function authorities(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError('storage_failed', `the option tls.ca names a file that cannot be read: ${reason}`, {
      cause: error,
    });
  }
  try {
    new X509Certificate(pem);
  } catch (error) {
    const message = `the option tls.ca names ${file}, which has no certificate in PEM that can be read`;
    throw new GatewayError('storage_failed', message, {cause: error});
  }
  return pem;
}
