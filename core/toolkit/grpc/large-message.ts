import {ServerInterceptingCall, type ServerInterceptor, status} from '@grpc/grpc-js';
import {GatewayError} from '../../api/errors.js';
import {grpcFailure} from './grpc-status.js';
import {hostOfPeer} from './peer-host.js';

/** How the library tells of a message that it does not take, as it came or decompressed. */
const TOO_LARGE = /^Received message .*larger than/;

/** A call was ended because one of its messages was too large. `peer` is the host that sent it. */
export type OnTooLarge = (message: string, peer: string) => void;

/**
 * Says which limit a message is larger than: the library ends the call by itself, before a handler or another interceptor
 * learns of it, so this is the first of a server's interceptors. `limit` is as users know it, with its bytes.
 */
export function tellLargeMessages(limit: string, onTooLarge?: OnTooLarge): ServerInterceptor {
  return (_, call) => {
    const end = call.sendStatus.bind(call);
    call.sendStatus = ended => {
      const isTooLarge = ended.code === status.RESOURCE_EXHAUSTED && TOO_LARGE.test(ended.details ?? '');
      if (!isTooLarge) return end(ended);
      const error = new GatewayError('too_large', `the message is larger than ${limit}`);
      onTooLarge?.(error.message, hostOfPeer(call.getPeer()));
      end(grpcFailure(error));
    };
    return new ServerInterceptingCall(call);
  };
}
