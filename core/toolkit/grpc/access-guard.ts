import {setImmediate as turn} from 'node:timers/promises';
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type {AccessCheck, Right, Verdict} from '../../api/access.js';
import {GatewayError} from '../../api/errors.js';
import type {Counter, Labelled, Logger, Meter} from '../../api/telemetry.js';
import {LogOnce} from '../log-once.js';
import {quote} from '../messages.js';
import {grpcFailure} from './grpc-status.js';
import {hostOfPeer} from './peer-host.js';

/** So many open calls are looked at in one turn, when those who are known have changed. */
const CALLS_A_TURN = 100;

/** Where the callers of a protocol have their credentials. */
export interface CredentialsPlace {
  /** For whoever is refused: the place, and what is expected there. */
  readonly name: string;
  readonly expected: string;
  /** What came, in the form of the header `Authorization`. */
  readonly authorizationOf: (metadata: Metadata) => string | undefined;
}

const USUAL: CredentialsPlace = {
  name: 'the metadata "authorization"',
  expected: 'Bearer and a token, or Basic and a user name and password',
  authorizationOf: metadata => {
    const values = metadata.get('authorization');
    // Several together are nobody's.
    return values.length === 0 ? undefined : values.join(', ');
  },
};

export interface AccessGuardOptions {
  readonly access: AccessCheck;
  /** What every call asks of its caller. */
  readonly right: Right;
  /** The name of the socket in the ready line. */
  readonly socket: string;
  readonly log: Logger;
  readonly meter: Meter;
  /** Where credentials are; left out, in the metadata `authorization`. */
  readonly place?: CredentialsPlace;
}

type Call = ServerInterceptingCallInterface;

/**
 * Asks who calls before a message is read, and again when those who are known have changed, because calls may stay open for
 * months. Nobody is asked while the configuration asks nobody.
 */
export class AccessGuard {
  readonly #options: AccessGuardOptions;
  readonly #refused: Labelled<Counter>;
  readonly #once = new LogOnce();
  /** Calls that are open, with what came as credentials. */
  readonly #open = new Map<Call, string | undefined>();
  readonly #forget: () => void;

  constructor(options: AccessGuardOptions) {
    const {meter, access} = options;
    const help =
      'Requests refused for their credentials (missing, wrong), for lack of a right, or by the rules for web pages.';
    this.#options = options;
    this.#refused = meter.counter('query_gateway_access_refused_total', help, ['listener', 'reason']);
    this.#forget = access.onChange(() => void this.#askAgain());
  }

  readonly interceptor: ServerInterceptor = (_, call) =>
    new ServerInterceptingCall(call, {
      start: next =>
        next({
          onReceiveMetadata: async (metadata, pass) => {
            const {place = USUAL} = this.#options;
            const authorization = place.authorizationOf(metadata);
            this.#open.set(call, authorization);
            if (await this.#admits(call, authorization)) pass(metadata);
          },
          onCancel: () => void this.#open.delete(call),
        }),
      sendStatus: (status, next) => {
        this.#open.delete(call);
        next(status);
      },
    });

  /** Calls that are open are asked no more. */
  close(): void {
    this.#forget();
  }

  async #askAgain(): Promise<void> {
    let asked = 0;
    for (const [call, authorization] of [...this.#open]) {
      if (this.#open.has(call)) await this.#admits(call, authorization);
      if (++asked % CALLS_A_TURN === 0) await turn();
    }
  }

  /** Ends the call of whoever may not go on. */
  async #admits(call: Call, authorization: string | undefined): Promise<boolean> {
    const peer = hostOfPeer(call.getPeer());
    try {
      const refusal = this.#refusalOf(await this.#options.access.check(authorization), peer);
      if (refusal === undefined) return true;
      throw refusal;
    } catch (error) {
      this.#open.delete(call);
      call.sendStatus(grpcFailure(error));
      return false;
    }
  }

  #refusalOf(verdict: Verdict | undefined, peer: string): GatewayError | undefined {
    const {right, socket, log, place = USUAL} = this.#options;
    const isKnown = typeof verdict === 'object';
    if (verdict === undefined || (isKnown && verdict.rights.includes(right))) {
      this.#once.ends(peer);
      return undefined;
    }
    const refusals = {
      missing: `this call asks for credentials; expected ${place.name} with ${place.expected}`,
      wrong: `the credentials in ${place.name} are not known`,
    };
    const message = isKnown ? `${quote(verdict.name)} lacks the right "${right}"` : refusals[verdict];
    this.#refused.with({listener: socket, reason: isKnown ? 'right' : verdict}).add();
    if (this.#once.begins(peer, message)) log.warn('a caller is refused', {socket, peer, reason: message});
    return new GatewayError(isKnown ? 'forbidden' : 'unauthenticated', message);
  }
}
