/** What messages about a connection to a server name. */
export interface TlsFailureTerms {
  /** The options, or flags, that would mend it. */
  readonly ca: string;
  readonly certificate: string;
  /** What sets the name that is expected; undefined where it is always the host. */
  readonly serverName?: string | undefined;
  /** Whether the gateway shows a certificate of its own. */
  readonly hasCertificate: boolean;
}

/** Reasons of a certificate, by Node's codes and OpenSSL's texts, of which libraries pass on one or the other. */
const OTHER_NAME = /ALTNAME_INVALID|does not match certificate's altnames/i;
const EXPIRED = /CERT_HAS_EXPIRED|certificate has expired/i;
const EARLY = /CERT_NOT_YET_VALID|certificate is not yet valid/i;
const UNKNOWN_AUTHORITY =
  /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_(UNTRUSTED|SIGNATURE_FAILURE)|INVALID_CA|self[- ]signed certificate|unable to (verify the first|get (local )?issuer) certificate/i;
/** Whatever else a certificate may be turned down for: it is revoked, or made for another purpose. */
const UNACCEPTED = /\b(CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)/;
/** Alerts with which a server turns down its client's certificate, or that there is none. */
const ALERT =
  /alert (certificate required|no certificate|bad certificate|certificate (expired|unknown|revoked)|unsupported certificate|unknown ca|handshake failure|access denied)|alert number (4[0-9]|116)\b/i;

/** What Node.js 24 adds to a reason, for its own command line. */
const ADVICE_OF_NODE = /; if the root CA is installed locally.*$/is;

/**
 * Why a connection of TLS was not made, with what would mend it, as the end of a sentence that names the server; undefined
 * for what is no matter of certificates. No later attempt makes it better before somebody changes something.
 */
export function tlsFailure(error: unknown, terms: TlsFailureTerms): string | undefined {
  const {code = '', message = String(error)} = error as {readonly code?: unknown; readonly message?: string};
  const text = `${code} ${message}`;
  const why = (reason: string): string => `${reason} (${message.replace(ADVICE_OF_NODE, '')})`;
  if (OTHER_NAME.test(text)) {
    const advice = terms.serverName === undefined ? '' : `, or set ${terms.serverName}`;
    return why(`its certificate is of another name; name the host as the certificate does${advice}`);
  }
  if (EXPIRED.test(text) && !ALERT.test(text)) return why('its certificate has expired');
  if (EARLY.test(text)) return why('its certificate is not valid yet; compare the clocks');
  if (UNKNOWN_AUTHORITY.test(text)) return why(`its certificate is not trusted; set ${terms.ca} to its authority`);
  if (UNACCEPTED.test(text)) return why('its certificate is not accepted');
  if (!ALERT.test(text)) return undefined;
  return terms.hasCertificate
    ? why(`it does not accept the certificate of ${terms.certificate}`)
    : why(`it asks for a certificate of its clients; set ${terms.certificate}`);
}
