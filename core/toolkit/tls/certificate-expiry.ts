import type {Logger, Meter} from '../../api/telemetry.js';
import {MS_PER_SECOND} from '../time.js';
import type {TlsMaterial} from './tls-files.js';

/** Tells until when the certificate is good that a listener shows; to be called with each that it takes. */
export function tellExpiry({expires}: TlsMaterial, listener: string, {meter, log}: {meter: Meter; log: Logger}): void {
  if (expires === undefined) return;
  const help = 'When the certificate of a listener ends, in seconds since the epoch.';
  const name = 'query_gateway_tls_certificate_expiry_seconds';
  meter.gauge(name, help, ['listener'], 'least').with({listener}).set(expires);
  if (expires * MS_PER_SECOND > Date.now()) return;
  log.warn('the certificate of a listener has expired', {listener, expired: new Date(expires * MS_PER_SECOND)});
}
