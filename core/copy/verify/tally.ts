import type {ItemState} from './item.js';

const EXAMPLES = 10;

/** What a comparison has found of one kind of data. */
export class VerifyTally {
  equal = 0;
  missing = 0;
  differing = 0;
  /** The target has them and the source has not: no failure. */
  more = 0;
  readonly examples: string[] = [];

  get isClean(): boolean {
    return this.missing === 0 && this.differing === 0;
  }

  get wantsExamples(): boolean {
    return this.examples.length < EXAMPLES;
  }

  add(state: ItemState, name: () => string): void {
    if (state === 'equal') this.equal++;
    else if (state === 'missing') this.missing++;
    else this.differing++;
    this.example(state, name);
  }

  example(state: ItemState, name: () => string): void {
    if (state !== 'equal' && this.wantsExamples)
      this.examples.push(`${name()} ${state === 'missing' ? 'is missing' : 'differs'}`);
  }
}
