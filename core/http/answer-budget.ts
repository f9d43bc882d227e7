import type {ServerResponse} from 'node:http';

/** Smaller answers fit into what the system buffers for a connection. */
const LARGE = 64 * 1024;

/** Memory for answers that are ready and have not left yet, because their clients are slow to take them. */
export class AnswerBudget {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Accounts for an answer until it has left or its connection is gone. False when there is no room beside others. */
  hold(bytes: number, response: ServerResponse): boolean {
    if (bytes < LARGE) return true;
    if (this.#held > 0 && this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    response.once('close', () => {
      this.#held -= bytes;
    });
    return true;
  }
}
