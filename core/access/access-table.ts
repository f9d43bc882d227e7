import {createHmac, hash as digestOf, randomBytes, timingSafeEqual} from 'node:crypto';
import type {Caller, Verdict} from '../api/access.js';
import type {AccessEntries} from '../config/access.js';
import {type PasswordHash, readPasswordHash} from '../config/password-hash.js';
import {readAuthorization} from './authorization.js';
import type {Passwords} from './passwords.js';

interface KnownToken {
  readonly caller: Caller;
  readonly digest: Buffer;
}

interface KnownUser {
  readonly caller: Caller;
  readonly hash: PasswordHash;
}

/**
 * Those who are known, as they stand in the configuration and the access file at one time. Whoever has one asks it for the
 * caller behind the header `Authorization`, of HTTP or of gRPC's metadata alike:
 *
 *     const verdict = await table.check(request.headers.authorization);
 *     if (typeof verdict === 'string') …401, gRPC 16…
 *     else if (!verdict.rights.includes('agent')) …403, gRPC 7…
 *
 * How long it takes tells neither how much of a token is right nor whether a user is known.
 */
export class AccessTable {
  readonly #tokens: readonly KnownToken[];
  /** By name: several may stand side by side. */
  readonly #users = new Map<string, readonly KnownUser[]>();
  readonly #passwords: Passwords;
  readonly #key = randomBytes(32);

  constructor({tokens, users}: AccessEntries, passwords: Passwords) {
    this.#tokens = tokens.map(({name, sha256, rights}) => ({
      caller: {name, rights},
      digest: Buffer.from(sha256, 'hex'),
    }));
    for (const {name, password, rights} of users) {
      const hash = readPasswordHash(password);
      if (typeof hash === 'string') throw new Error(`the password of the user ${name}: ${hash}`);
      this.#users.set(name, [...(this.#users.get(name) ?? []), {caller: {name, rights}, hash}]);
    }
    this.#passwords = passwords;
  }

  /** At once for tokens and for passwords that were right before. Rejects with `overloaded` when too many checks wait. */
  check(authorization: string | undefined): Verdict | Promise<Verdict> {
    if (authorization === undefined) return 'missing';
    const credentials = readAuthorization(authorization);
    if (credentials === undefined) return 'wrong';
    return 'token' in credentials
      ? this.#checkToken(credentials.token)
      : this.#checkPassword(credentials.user, credentials.password);
  }

  #checkToken(token: string): Verdict {
    const digest = digestOf('sha256', token, 'buffer');
    let verdict: Verdict = 'wrong';
    // To the end, whichever it is.
    for (const known of this.#tokens) if (timingSafeEqual(known.digest, digest)) verdict = known.caller;
    return verdict;
  }

  #checkPassword(name: string, password: string): Verdict | Promise<Verdict> {
    const own = this.#users.get(name);
    const users = own ?? this.#standIns(name);
    const known = users.find(({hash}) => this.#passwords.knows(hash, password));
    if (known !== undefined && own !== undefined) return known.caller;
    return this.#compare(users, password, own !== undefined);
  }

  async #compare(users: readonly KnownUser[], password: string, areOwn: boolean): Promise<Verdict> {
    for (const {hash, caller} of users) if ((await this.#passwords.matches(hash, password)) && areOwn) return caller;
    return 'wrong';
  }

  /** Whose passwords a name that nobody has is compared with, always the same ones: it then takes as long as for a user. */
  #standIns(name: string): readonly KnownUser[] {
    const lists = [...this.#users.values()];
    const chosen = createHmac('sha256', this.#key).update(name).digest().readUInt32BE(0);
    return lists[chosen % Math.max(lists.length, 1)] ?? [];
  }
}
