import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AccessTable} from '../access/access-table.js';
import type {Caller, Need, Verdict} from '../api/access.js';
import {GatewayError} from '../api/errors.js';
import type {Reply} from '../api/http.js';
import type {Counter, Meter} from '../api/telemetry.js';
import type {ListenerConfig} from '../config/gateway-config.js';
import {quote} from '../toolkit/messages.js';
import {allowOrigin, preflightReply} from './cors.js';
import {OriginRules} from './origin-rules.js';

/** Where credentials are looked up: the table of the moment, undefined when nobody is asked. */
export interface AccessSource {
  readonly table: AccessTable | undefined;
}

/** What a path is behind. */
export interface Door {
  /** `known`: whoever is known, whatever the rights. */
  readonly need: Need | 'known';
  /** Whether what it does changes nothing, by whatever method. */
  readonly isQuery: boolean;
}

/** Why a request may not go on. */
export class Refusal {
  readonly error: GatewayError;
  /** What becomes of the form that the path has for the error. */
  readonly change: (reply: Reply) => Reply;

  constructor(error: GatewayError, change = (reply: Reply) => reply) {
    this.error = error;
    this.change = change;
  }
}

/** A request may go on, from a caller if any is asked for; or it is refused; or it is answered already. */
export type Passage = {readonly caller: Caller | undefined} | Refusal | {readonly reply: Reply};

const ANYBODY: Passage = {caller: undefined};
/** Methods that change nothing, wherever they are sent. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const REASONS = ['missing', 'wrong', 'right', 'origin'] as const;
type Reason = (typeof REASONS)[number];

const MISSING =
  'this path asks for credentials; expected the header "Authorization" with Bearer and a token, or Basic and a user name and password';
const WRONG = 'the credentials in the header "Authorization" are not known';

/**
 * The first stage of every request, before its body is read: whether its sender may ask for this. One guard stands before all
 * paths of a listener, those that nobody owns included.
 */
export class Guard {
  readonly #rules: OriginRules;
  /** Undefined where the listener is open. */
  readonly #access: AccessSource | undefined;
  readonly #refused: Readonly<Record<Reason, Counter>>;

  constructor(listener: ListenerConfig, access: AccessSource, meter: Meter) {
    const {name} = listener;
    this.#rules = new OriginRules(listener);
    this.#access = listener.access === 'open' ? undefined : access;
    const help =
      'Requests refused for their credentials (missing, wrong), for lack of a right, or by the rules for web pages.';
    const refused = meter.counter('query_gateway_access_refused_total', help, ['listener', 'reason']);
    const counters = REASONS.map(reason => [reason, refused.with({listener: name, reason})] as const);
    this.#refused = Object.fromEntries(counters) as Record<Reason, Counter>;
  }

  /** May set headers of the response. */
  judge(request: IncomingMessage, response: ServerResponse, door: Door): Passage | Promise<Passage> {
    const {headers} = request;
    if (!this.#rules.answersTo(headers.host)) return this.#misdirected(headers.host ?? '');
    const {origin} = headers;
    if (origin !== undefined) {
      const answer = this.#judgeOrigin(origin, request, response, door);
      if (answer !== undefined) return answer;
    }
    const table = this.#access?.table;
    if (table === undefined || door.need === 'open') return ANYBODY;
    const verdict = table.check(headers.authorization);
    if (!(verdict instanceof Promise)) return this.#passage(verdict, response, door);
    return verdict.then(
      settled => this.#passage(settled, response, door),
      error => new Refusal(GatewayError.from(error)),
    );
  }

  #judgeOrigin(
    origin: string,
    request: IncomingMessage,
    response: ServerResponse,
    {isQuery}: Door,
  ): Passage | undefined {
    if (this.#rules.lists(origin)) {
      allowOrigin(origin, response);
      const reply = preflightReply(request);
      return reply && {reply};
    }
    if (isQuery || SAFE.includes(request.method ?? '') || this.#rules.isOwn(origin, request)) return undefined;
    this.#refused.origin.add();
    const message = `a web page of ${quote(origin)} may change nothing here; "cors.origins" of the listener lists those that may`;
    return new Refusal(new GatewayError('forbidden', message));
  }

  #misdirected(host: string): Refusal {
    this.#refused.origin.add();
    const message = `found the header "Host: ${host}", expected an IP address, localhost, or a name in "hosts" of the listener`;
    return new Refusal(new GatewayError('bad_request', message), reply => ({...reply, status: 421}));
  }

  #passage(verdict: Verdict, response: ServerResponse, {need}: Door): Passage {
    if (typeof verdict === 'string') {
      this.#refused[verdict].add();
      response.setHeader('www-authenticate', CHALLENGES);
      return new Refusal(new GatewayError('unauthenticated', verdict === 'missing' ? MISSING : WRONG));
    }
    if (need === 'known' || verdict.rights.some(right => right === need)) return {caller: verdict};
    this.#refused.right.add();
    return new Refusal(new GatewayError('forbidden', `${quote(verdict.name)} lacks the right "${need}"`));
  }
}

/** Two lines: some clients read no more than the first challenge of one. */
const CHALLENGES = ['Bearer realm="query-gateway"', 'Basic realm="query-gateway", charset="UTF-8"'];
