import type {TlsFileKeys, TlsFiles} from '../../core/toolkit/tls/tls-files.js';

export interface ProxySecurityOptions {
  /** Even without a file in it, connections to the proxy are encrypted, and its certificate and name checked. */
  readonly tls?: TlsFiles;
  /** A file with the token that the proxy asks for. */
  readonly tokenFile?: string;
}

/** The flags that name the files. */
export const TLS_FLAGS: TlsFileKeys = {
  ca: 'proxy-tls-ca-file',
  certificate: 'proxy-tls-cert-file',
  key: 'proxy-tls-key-file',
};
export const TOKEN_FLAG = 'proxy-token-file';
