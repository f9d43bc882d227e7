/**
 * Who may do what. Rights are about kinds of work and not about plugins, so that a credential for a dashboard cannot write,
 * whatever is mounted beside what it reads. No right includes another.
 */

/**
 * - `read`: every query.
 * - `write`: everything that changes what is stored.
 * - `admin`: the state of the gateway, its own metrics, and what changes how it runs.
 * - `agent`: to register as an agent that the gateway asks.
 */
export const RIGHTS = ['read', 'write', 'admin', 'agent'] as const;

export type Right = (typeof RIGHTS)[number];

/** What a path asks of its callers: a right, or nothing at all, as health checks do. */
export type Need = Right | 'open';

/** Whose credentials came with a request. */
export interface Caller {
  /** The `name` of its entry in the configuration, for logs. Several credentials may have one name. */
  readonly name: string;
  readonly rights: readonly Right[];
}

/** Who has come, or why nobody is known by what came as credentials: there was nothing, or nobody has them. */
export type Verdict = Caller | 'missing' | 'wrong';

/**
 * Asks who is behind credentials: for a plugin that opens a socket beside its routes, whose callers the host does not see.
 * The routes of a plugin need nothing of it.
 */
export interface AccessCheck {
  /**
   * Of the header `Authorization`, or of gRPC's metadata of that name, with what the configuration says now: not to be kept.
   * `undefined` where the configuration asks nobody who they are. Rejects with `overloaded` when too many checks wait.
   */
  check(authorization: string | undefined): Verdict | undefined | Promise<Verdict>;
  /** Tells when those who are known have changed, for calls that stay open. Gives what ends that. */
  onChange(listener: () => void): () => void;
}
