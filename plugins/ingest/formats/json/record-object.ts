import type {ContentBudget} from '../../../../core/toolkit/traces/content-budget.js';
import {NAME_BYTES, textProblem} from '../../../../core/toolkit/traces/text-limits.js';
import {type Fields, isFields, refuse, refuseValue, written} from '../refusal.js';

const LEAST_INT64 = -(2n ** 63n);
const GREATEST_INT64 = 2n ** 63n - 1n;
const LEAST_INT32 = -(2 ** 31);
const GREATEST_INT32 = 2 ** 31 - 1;
const DECIMAL = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/;
const INTEGER = /^[+-]?\d{1,30}$/;

/** Where an object stands in a record. Made into text only when something is wrong. */
interface Place {
  readonly parent: RecordObject;
  readonly key: string;
  readonly index?: number;
}

/**
 * An object of a record, read by key. A value that is null counts as absent. All methods refuse what cannot be stored.
 *
 * Half of a surrogate pair is what is left of a character that a sender has cut. It becomes U+FFFD, as everywhere where
 * text becomes bytes.
 */
export class RecordObject {
  readonly #fields: Fields;
  readonly #contents: ContentBudget;
  readonly #place: Place | undefined;

  /** `contents`: of the record to which the object belongs. */
  constructor(fields: Fields, contents: ContentBudget, place?: Place) {
    this.#fields = fields;
    this.#contents = contents;
    this.#place = place;
  }

  /** Names the key by its path in the record. */
  refuse(key: string, problem: string): never {
    return refuse(this.#path(key), problem);
  }

  /** What is stored of a list, and the text of a mark when that is not all. */
  first<Item>(items: readonly Item[]): {readonly items: readonly Item[]; readonly mark: string | undefined} {
    return this.#contents.first(items);
  }

  keys(): string[] {
    return Object.keys(this.#fields);
  }

  has(key: string): boolean {
    return this.#value(key) !== undefined;
  }

  /** The value as it was sent, for a message. */
  written(key: string): string {
    return written(this.#fields, key);
  }

  /** The text of a name, empty when absent. */
  name(key: string): string {
    const value = this.#value(key) ?? '';
    if (typeof value !== 'string') return this.#refuseValue(key, value, 'a text');
    return this.#checked(key, value.toWellFormed(), NAME_BYTES);
  }

  requiredName(key: string): string {
    const name = this.name(key);
    if (name === '') this.refuse(key, this.has(key) ? 'empty' : 'missing');
    return name;
  }

  /** Text that is content, cut when it is too long, empty when absent. Senders also write numbers and booleans for it. */
  content(key: string): string {
    const value = this.#value(key) ?? '';
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value !== 'string') return this.#refuseValue(key, value, 'a text');
    return this.#checked(key, this.#contents.fit(value.toWellFormed()), Number.POSITIVE_INFINITY);
  }

  /** A number, also as decimal text. */
  number(key: string): number | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
    if (typeof number !== 'number') return this.#refuseValue(key, value, 'a number');
    return number;
  }

  /** A whole number, 0 when absent. */
  integer(key: string, least: number, greatest: number): number {
    const number = this.number(key) ?? 0;
    if (!Number.isInteger(number) || number < least || number > greatest) {
      this.refuse(key, `found ${this.written(key)}, expected a whole number from ${least} to ${greatest}`);
    }
    // Not -0.
    return number + 0;
  }

  /** An integer of 64 bits, 0 when absent. */
  int64(key: string): bigint {
    const value = this.#value(key) ?? 0;
    const exact = Number.isSafeInteger(value) || (typeof value === 'string' && INTEGER.test(value));
    const integer = exact ? BigInt(value as number | string) : GREATEST_INT64 + 1n;
    if (integer < LEAST_INT64 || integer > GREATEST_INT64) {
      this.refuse(key, `found ${this.written(key)}, expected an integer of 64 bits`);
    }
    return integer;
  }

  /** False when absent. */
  flag(key: string): boolean {
    const value = this.#value(key) ?? false;
    if (typeof value !== 'boolean') return this.#refuseValue(key, value, 'true or false');
    return value;
  }

  /**
   * One of these words, also as its position among them, which may be decimal text. Other words stand as they are, and
   * other numbers as their decimal text, for later versions of a protocol know more; undefined when absent.
   */
  word(key: string, words: readonly string[]): string | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && !INTEGER.test(value)) return this.name(key);
    const number = this.integer(key, LEAST_INT32, GREATEST_INT32);
    return words[number] ?? String(number);
  }

  object(key: string): RecordObject | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!isFields(value)) return this.#refuseValue(key, value, 'an object');
    return new RecordObject(value, this.#contents, {parent: this, key});
  }

  /** The objects of an array, none when it is absent. */
  objects(key: string): readonly RecordObject[] {
    const value = this.#value(key) ?? [];
    if (!Array.isArray(value)) return this.#refuseValue(key, value, 'an array');
    return value.map((each: unknown, index) => {
      if (!isFields(each)) return this.#refuseValue(`${key}[${index}]`, each, 'an object');
      return new RecordObject(each, this.#contents, {parent: this, key, index});
    });
  }

  #value(key: string): unknown {
    return this.#fields[key] ?? undefined;
  }

  #checked(key: string, text: string, bytes: number): string {
    const problem = textProblem(text, bytes);
    return problem === undefined ? text : this.refuse(key, problem);
  }

  #refuseValue(key: string, value: unknown, expected: string): never {
    refuseValue(this.#path(key), value, expected);
  }

  #path(key: string): string {
    if (this.#place === undefined) return key;
    const {parent, key: own, index} = this.#place;
    return parent.#path(index === undefined ? `${own}.${key}` : `${own}[${index}].${key}`);
  }
}
