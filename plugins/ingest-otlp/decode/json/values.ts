import type {OtlpAttribute, OtlpValue} from '../../../../core/api/plugin.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import type {RequestChecks} from '../request-checks.js';
import type {JsonReader} from './json-reader.js';
import {readBase64, readBool, readDouble, readInt64, readText} from './scalars.js';

/** Lists and attributes of a request in JSON. */
export class JsonValues {
  readonly #reader: JsonReader;
  readonly #checks: RequestChecks;

  constructor(reader: JsonReader, checks: RequestChecks) {
    this.#reader = reader;
    this.#checks = checks;
  }

  /** Calls `take` for each key with its value ahead; what `take` does not know, and says so, is passed over. */
  object(take: (key: string) => boolean): void {
    const reader = this.#reader;
    if (reader.isNull()) return;
    reader.openObject();
    for (let key = reader.nextKey(); key !== undefined; key = reader.nextKey()) {
      if (!take(key)) complete(reader.skip());
    }
  }

  /** An array, of which each element is read by `read`; none when it is null. */
  list<Item>(read: () => Item): Item[] {
    const reader = this.#reader;
    const items: Item[] = [];
    if (reader.isNull()) return items;
    reader.openArray();
    while (reader.nextElement()) {
      this.#checks.part();
      items.push(read());
    }
    return items;
  }

  /** The text of a name, whose length is looked at. */
  name(what: string): string {
    const text = readText(this.#reader);
    if (text.length > 256) this.#checks.named(what, Buffer.byteLength(text));
    return text;
  }

  attributes(depth = 0): OtlpAttribute[] {
    return this.list(() => this.#attribute(depth));
  }

  #attribute(depth: number): OtlpAttribute {
    let name = '';
    let value: OtlpValue = null;
    this.object(key => {
      if (key === 'key') name = this.name('a key');
      else if (key === 'value') value = this.#value(depth);
      else return false;
      return true;
    });
    return {key: name, value};
  }

  #value(depth: number): OtlpValue {
    const reader = this.#reader;
    let value: OtlpValue = null;
    this.object(key => {
      // A value that is null was not sent.
      if (reader.isNull()) return true;
      if (key === 'stringValue') value = readText(reader);
      else if (key === 'boolValue') value = readBool(reader);
      else if (key === 'intValue') value = readInt64(reader, what => this.#checks.beyond(what));
      else if (key === 'doubleValue') value = readDouble(reader, what => this.#checks.beyond(what));
      else if (key === 'bytesValue') value = readBase64(reader);
      else if (key === 'arrayValue') value = this.#array(depth);
      else if (key === 'kvlistValue') value = {entries: this.#entries(depth)};
      else return false;
      return true;
    });
    return value;
  }

  #array(depth: number): readonly OtlpValue[] {
    let values: readonly OtlpValue[] = [];
    this.#nested(depth, () => {
      values = this.list(() => this.#value(depth + 1));
    });
    return values;
  }

  #entries(depth: number): readonly OtlpAttribute[] {
    let entries: readonly OtlpAttribute[] = [];
    this.#nested(depth, () => {
      entries = this.attributes(depth + 1);
    });
    return entries;
  }

  /** The object around the values of an array or a list. */
  #nested(depth: number, take: () => void): void {
    const isRead = this.#checks.nested(depth);
    this.object(key => {
      if (key !== 'values' || !isRead) return false;
      take();
      return true;
    });
  }
}
