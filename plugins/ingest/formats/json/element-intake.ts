import {
  type Call,
  GatewayError,
  type IngestLimits,
  type Intake,
  type OnBadRecord,
} from '../../../../core/api/plugin.js';
import {whyNotJson} from '../../../../core/toolkit/json.js';
import {quote} from '../../../../core/toolkit/messages.js';
import {ContentBudget} from '../../../../core/toolkit/traces/content-budget.js';
import {isFields} from '../refusal.js';
import {Elements, type ElementsOptions} from './elements.js';
import {parseExact} from './parse-exact.js';
import {RecordObject} from './record-object.js';

export interface ElementFormat<Item> extends ElementsOptions {
  /** Reads one element. Throws `bad_request` when it cannot be stored. */
  read(element: RecordObject): Item;
  write(items: readonly Item[], call: Call): Promise<void>;
}

/** The decoding of a JSON array, each element a record. */
export class ElementIntake<Item> implements Intake {
  readonly #format: ElementFormat<Item>;
  readonly #call: Call;
  readonly #elements: Elements;
  readonly #contents: ContentBudget;
  #items: Item[] = [];
  #index = 0;
  #onBad: OnBadRecord = () => undefined;

  constructor(format: ElementFormat<Item>, {spanTags}: IngestLimits, call: Call) {
    this.#contents = new ContentBudget(spanTags);
    this.#format = format;
    this.#call = call;
    const sink = {
      element: (text: string) => this.#take(this.#add(text)),
      unreadable: (reason: string) => this.#take(reason),
    };
    this.#elements = new Elements(format, sink, call);
  }

  get pending(): number {
    return this.#items.length;
  }

  get cut(): number {
    return this.#contents.cut;
  }

  async decode(bytes: Uint8Array, onBad: OnBadRecord): Promise<void> {
    this.#onBad = onBad;
    await this.#elements.push(bytes);
  }

  async finish(onBad: OnBadRecord): Promise<void> {
    this.#onBad = onBad;
    this.#elements.end();
  }

  write(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    return this.#format.write(items, this.#call);
  }

  #take(problem: string | undefined): void {
    const index = this.#index++;
    if (problem !== undefined) this.#onBad({index, reason: problem});
  }

  /** Adds an element. Answers why not, if so. */
  #add(text: string): string | undefined {
    let value: unknown;
    try {
      value = parseExact(text);
    } catch (error) {
      return whyNotJson(text, error);
    }
    if (!isFields(value)) return `found ${quote(value)}, expected a JSON object`;
    this.#contents.beginRecord();
    try {
      this.#items.push(this.#format.read(new RecordObject(value, this.#contents)));
      return undefined;
    } catch (error) {
      if (GatewayError.is(error) && error.code === 'bad_request') return error.message;
      throw error;
    }
  }
}
