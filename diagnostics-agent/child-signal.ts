import {setMaxListeners} from 'node:events';

/** A controller for any number of tasks at once: their number follows from the flags, so many listeners are no leak. */
export function controllerOfMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * A signal of its own for one piece of work, which aborts when `parent` does or when told to. `release` cuts the tie.
 * `AbortSignal.any` would leave a little behind in the parent each time, and the parent lives as long as the agent.
 */
export function childOf(parent: AbortSignal): {readonly signal: AbortSignal; abort(): void; release(): void} {
  const controller = controllerOfMany();
  const abort = (): void => controller.abort(parent.reason);
  if (parent.aborted) abort();
  parent.addEventListener('abort', abort);
  return {signal: controller.signal, abort, release: () => parent.removeEventListener('abort', abort)};
}
