import type {CopyState} from './checkpoint.js';

/** The state of a copy, which is saved behind its back: of the states that come while one is being saved, the last is next. */
export class LatestState {
  #state: CopyState;
  #unsaved = false;
  #saving: Promise<void> | undefined;
  #failure: {readonly error: unknown} | undefined;
  readonly #save: (state: CopyState) => Promise<void>;

  constructor(state: CopyState, save: (state: CopyState) => Promise<void>) {
    this.#state = state;
    this.#save = save;
  }

  get state(): CopyState {
    return this.#state;
  }

  /** Throws where an earlier state could not be saved: it would go on in vain. */
  set(state: CopyState): void {
    this.#check();
    this.#state = state;
    this.#unsaved = true;
    this.#begin();
  }

  /** Rejects where a state could not be saved. */
  async saved(): Promise<void> {
    while (this.#saving !== undefined) await this.#saving;
    this.#check();
  }

  #begin(): void {
    if (this.#saving !== undefined || !this.#unsaved || this.#failure !== undefined) return;
    this.#unsaved = false;
    this.#saving = this.#save(this.#state)
      .catch((error: unknown) => {
        this.#failure = {error};
      })
      .then(() => {
        this.#saving = undefined;
        this.#begin();
      });
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
