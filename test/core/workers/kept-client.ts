import {once} from 'node:events';
import {Agent, type ClientRequest, type IncomingMessage, request as send} from 'node:http';
import {text as textOf} from 'node:stream/consumers';

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Requests whose connection ended before all of the answer had come. */
export interface Resets {
  /** On a connection that had had an answer before, before anything of this one. */
  kept: number;
  /** On a new connection, before anything of the answer. */
  fresh: number;
  /** In the middle of an answer. */
  begun: number;
}

/**
 * One client on one connection, which it keeps. What may be asked twice it asks again, once, where a kept connection ends
 * before the answer begins, as browsers and Go's clients do (RFC 9110, 9.2.2).
 */
export class KeptClient {
  readonly #agent = new Agent({keepAlive: true, maxSockets: 1});
  readonly #resets: Resets;

  /** `resets` is where they are counted, also those that are asked again. */
  constructor(resets: Resets) {
    this.#resets = resets;
  }

  get(url: string): Promise<Answered> {
    return this.#send(url, undefined, true);
  }

  post(url: string, body: string): Promise<Answered> {
    return this.#send(url, body, false);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(url: string, body: string | undefined, mayRepeat: boolean): Promise<Answered> {
    const request = send(url, {agent: this.#agent, method: body === undefined ? 'GET' : 'POST'}).end(body);
    let response: IncomingMessage | undefined;
    try {
      [response] = (await once(request, 'response')) as [IncomingMessage];
      return {status: response.statusCode ?? 0, text: await textOf(response)};
    } catch (error) {
      const kind = this.#kindOf(request, response);
      this.#resets[kind]++;
      if (kind === 'kept' && mayRepeat) return this.#send(url, body, false);
      throw error;
    }
  }

  #kindOf({reusedSocket}: ClientRequest, response: IncomingMessage | undefined): keyof Resets {
    if (response !== undefined) return 'begun';
    return reusedSocket ? 'kept' : 'fresh';
  }
}
