import {Worker} from 'node:worker_threads';
import type {BcryptQuestion} from './bcrypt-thread.js';

const SCRIPT = new URL('./bcrypt-thread.js', import.meta.url);

/** The serving thread's end of the thread for bcrypt, which begins with the first question. One question at a time. */
export class BcryptClient {
  #worker: Worker | undefined;

  matches(password: string, hash: string): Promise<boolean> {
    this.#worker ??= this.#begin();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        worker.off('message', answer).off('exit', died).off('error', failed);
        act();
      };
      const answer = (matches: boolean): void => settle(() => resolve(matches));
      const died = (): void => settle(() => reject(new Error('the thread for bcrypt has ended')));
      const failed = (error: Error): void => settle(() => reject(error));
      worker.on('message', answer).on('exit', died).on('error', failed);
      worker.postMessage({password, hash} satisfies BcryptQuestion);
    });
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** One that has died is replaced at the next question. It keeps no process alive. */
  #begin(): Worker {
    const worker = new Worker(SCRIPT, {name: 'bcrypt'});
    worker.unref();
    return worker
      .on('error', () => undefined)
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
      });
  }
}
