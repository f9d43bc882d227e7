import {hash as digestOf, randomBytes, type ScryptOptions, scrypt, timingSafeEqual} from 'node:crypto';
import {promisify} from 'node:util';
import {GatewayError} from '../api/errors.js';
import {type PasswordHash, SCRYPT_MEMORY, type ScryptHash, writeScrypt} from '../config/password-hash.js';
import {Semaphore} from '../toolkit/semaphore.js';
import {BcryptClient} from './bcrypt-client.js';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Of a new password: 32 MiB and less than a tenth of a second a check. */
const COSTS = {N: 2 ** 15, r: 8, p: 1} as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** So many checks may wait or run: a few seconds of work. What is beyond is refused, and may be tried again. */
const CHECKS = 64;
/** So many passwords are known to be right without another check; those that were used last. */
const KNOWN = 4096;

/** The form in which a password is stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return writeScrypt({
    ...COSTS,
    salt,
    hash: await derive(password, salt, HASH_BYTES, {...COSTS, maxmem: SCRYPT_MEMORY * 2}),
  });
}

/**
 * Checks passwords, slow as that is meant to be, off the serving thread and one after the other. What was right once is
 * known by a digest under a key that is made anew with each process, and never stored.
 */
export class Passwords {
  readonly #key = randomBytes(32).toString('hex');
  readonly #known = new Set<string>();
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #turn = new Semaphore(1);
  readonly #bcrypt = new BcryptClient();

  /** Whether it was found right before. */
  knows(hash: PasswordHash, password: string): boolean {
    const digest = this.#digest(hash, password);
    if (!this.#known.delete(digest)) return false;
    this.#known.add(digest);
    return true;
  }

  /** Rejects with `overloaded` when too many checks wait. The same question, asked while it is being answered, is one. */
  async matches(hash: PasswordHash, password: string): Promise<boolean> {
    const digest = this.#digest(hash, password);
    const running = this.#running.get(digest);
    if (running !== undefined) return running;
    if (this.#running.size >= CHECKS)
      throw new GatewayError('overloaded', 'as many passwords are being checked as the gateway takes; try again');
    const check = this.#turn.run(() => this.#compare(hash, password));
    this.#running.set(digest, check);
    try {
      const isRight = await check;
      if (isRight) this.#remember(digest);
      return isRight;
    } finally {
      this.#running.delete(digest);
    }
  }

  async stop(): Promise<void> {
    await this.#bcrypt.stop();
  }

  #compare(hash: PasswordHash, password: string): Promise<boolean> {
    return hash.kind === 'bcrypt' ? this.#bcrypt.matches(password, hash.text) : matchesScrypt(hash, password);
  }

  #remember(digest: string): void {
    this.#known.add(digest);
    const [oldest] = this.#known;
    if (this.#known.size > KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  #digest({text}: PasswordHash, password: string): string {
    // In one call: it is made with every request, and never leaves the process.
    return digestOf('sha256', `${this.#key}\n${text}\n${password}`, 'base64');
  }
}

async function matchesScrypt({salt, hash, N, r, p}: ScryptHash, password: string): Promise<boolean> {
  return timingSafeEqual(await derive(password, salt, hash.length, {N, r, p, maxmem: SCRYPT_MEMORY * 2}), hash);
}
