/** A password as it is stored: which function makes what it is compared with, and at which cost. */
export type PasswordHash = BcryptHash | ScryptHash;

export interface BcryptHash {
  readonly kind: 'bcrypt';
  /** As it is stored. */
  readonly text: string;
}

export interface ScryptHash {
  readonly kind: 'scrypt';
  /** As it is stored. */
  readonly text: string;
  /** The cost, a power of two, the size of a block and how many of them; names as RFC 7914 has them. */
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/;
const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z\d+/]{11,88})\$([A-Za-z\d+/]{22,88})$/;

/** What `htpasswd` can write; at the highest of them a check takes seconds. */
const BCRYPT_COSTS = {least: 4, most: 17} as const;
/** Bytes that one check by scrypt may take. */
export const SCRYPT_MEMORY = 128 * 1024 * 1024;
const SCRYPT_PARALLEL = 16;

/** Reads a stored password. Gives a text that says what is wrong with it, without showing it. */
export function readPasswordHash(text: string): PasswordHash | string {
  const [, cost] = BCRYPT.exec(text) ?? [];
  if (cost !== undefined) {
    const {least, most} = BCRYPT_COSTS;
    const isSound = Number(cost) >= least && Number(cost) <= most;
    return isSound ? {kind: 'bcrypt', text} : `found bcrypt at the cost ${cost}, expected one from ${least} to ${most}`;
  }
  const [, ln, r, p, salt = '', hash = ''] = SCRYPT.exec(text) ?? [];
  if (ln === undefined) return `found a password in no form that is known, expected ${EXPECTED}`;
  const costs = {N: 2 ** Number(ln), r: Number(r), p: Number(p)};
  const isSound =
    costs.N > 1 && costs.r > 0 && costs.p > 0 && costs.p <= SCRYPT_PARALLEL && memoryOf(costs) <= SCRYPT_MEMORY;
  if (!isSound) return `found scrypt at the cost ln=${ln},r=${r},p=${p}, expected at most 128 MiB and p=16`;
  return {kind: 'scrypt', text, ...costs, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64')};
}

const EXPECTED = 'bcrypt ($2a$, $2b$ or $2y$, as of htpasswd -B), or what "query-gateway password" prints';

function memoryOf({N, r, p}: Pick<ScryptHash, 'N' | 'r' | 'p'>): number {
  return 128 * r * (N + p);
}

/** The text that is stored for a password whose scrypt is known. */
export function writeScrypt({N, r, p, salt, hash}: Omit<ScryptHash, 'kind' | 'text'>): string {
  const [left, right] = [salt, hash].map(bytes => bytes.toString('base64').replaceAll('=', ''));
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${left}$${right}`;
}
