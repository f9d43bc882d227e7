/**
 * What a component says of itself when asked.
 *
 * The host owns the life cycle states (`starting → ok ⇄ degraded → stopping → stopped`, `disabled`, `failed`) and asks
 * for health only between `start` and `stop`. A component therefore reports only what is unusual: `ok` needs no
 * message, the other two say in one sentence what is wrong and what still works.
 *
 * `/-/ready` of the admin listener answers 503 while any component is `failed`; `degraded` stays ready.
 */
export interface Health {
  /** `degraded`: serves, with less than usual. `failed`: cannot serve now; may recover by itself. */
  readonly status: 'ok' | 'degraded' | 'failed';
  readonly message?: string;
}

/** The answer of a component that has nothing to say. */
export const HEALTHY: Health = Object.freeze({status: 'ok'});
