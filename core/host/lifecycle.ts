import {GatewayError} from '../api/errors.js';
import {unlessAborted} from '../toolkit/unless-aborted.js';

export interface TimeLimit {
  readonly milliseconds: number;
  /** The key of the configuration that sets it. */
  readonly option?: string;
}

/** Runs `work` until it ends or the time has passed, or `outer` aborts; its signal aborts then. */
export async function within<T>(
  what: string,
  {milliseconds, option}: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const {signal} = controller;
  const setting = option === undefined ? '' : `${option}, `;
  const late = new GatewayError('timeout', `${what} has not ended within ${setting}${milliseconds / 1000} s`);
  const timer = setTimeout(() => controller.abort(late), milliseconds);
  const stop = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', stop, {once: true});
  try {
    return await unlessAborted(work(signal), signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

interface Component {
  readonly name: string;
  readonly stop: (() => Promise<void>) | undefined;
}

/** What has been started, so that it can be stopped in reverse order. */
export class Lifecycle {
  #components: Component[] = [];

  /** Notes a component before it starts, so that one whose start fails half-way is stopped too. */
  add(name: string, stop: (() => Promise<void>) | undefined): void {
    this.#components.push({name, stop});
  }

  /** Stops everything, each component within `timeout`. One that fails or is late does not keep the others. */
  async stop(timeout: number): Promise<void> {
    const errors: Error[] = [];
    for (const {name, stop} of this.#components.splice(0).reverse()) {
      try {
        if (stop !== undefined) await within(`stopping ${name}`, {milliseconds: timeout}, stop);
      } catch (error) {
        const {message} = error as Error;
        errors.push(
          new Error(message.startsWith('stopping ') ? message : `stopping ${name}: ${message}`, {cause: error}),
        );
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({message}) => message).join('; '));
  }
}
