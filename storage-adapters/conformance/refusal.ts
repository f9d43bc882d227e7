import {type ErrorCode, GatewayError} from '../../core/api/adapter.js';
import type {TestContext} from './runner.js';

/** Checks that work is refused with an error of this code whose message names the thing. */
export async function expectRefusal(
  t: TestContext,
  work: Promise<unknown>,
  code: ErrorCode,
  named: string,
  what: string,
): Promise<void> {
  const [outcome] = await Promise.allSettled([work]);
  t.is(outcome.status, 'rejected', `${what} is accepted`);
  if (outcome.status !== 'rejected') return;
  const error: unknown = outcome.reason;
  t.true(GatewayError.is(error), `${what} is refused with ${String(error)}, which is no GatewayError`);
  if (!GatewayError.is(error)) return;
  t.is(error.code, code, `the code of the refusal of ${what}`);
  t.true(error.message.includes(named), `the message of the refusal does not name '${named}': ${error.message}`);
}
