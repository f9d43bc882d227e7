import {ServerCredentials} from '@grpc/grpc-js';
import type {WatchedServerTls} from '../tls/server-tls.js';

/** Credentials of a server that speaks TLS: connections are served with the files as they are when they come. */
export class WatchedServerCredentials extends ServerCredentials {
  constructor(tls: WatchedServerTls) {
    const {options} = tls;
    super(options, options);
    tls.onChange(context => this.updateSecureContextOptions(context));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
