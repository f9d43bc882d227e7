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
