/**
 * A statement under construction: text with numbered parameters. Values only ever become parameters, so no value can
 * change what a statement means.
 */
export class PostgresParameters {
  readonly values: unknown[];

  constructor(values: readonly unknown[] = []) {
    this.values = [...values];
  }

  /** Takes a value, and gives the name under which the text refers to it. */
  add(value: unknown, type = ''): string {
    this.values.push(value);
    return `$${this.values.length}${type && `::${type}`}`;
  }
}

/** An array literal of numbers, which need no quoting; much cheaper than the driver's general one. */
export function numbers(values: ArrayLike<number>): string {
  return `{${Array.prototype.join.call(values, ',')}}`;
}

/** The numbers of an array in the text form of the server. */
export function parseNumbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}
