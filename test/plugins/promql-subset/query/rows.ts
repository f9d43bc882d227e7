import type {TestFn} from 'ava';
import {MEMORY_ADAPTER, withScene} from '../support.js';

/** A query, when it is asked, and the lines of its result as `textOf` writes them. */
export interface Row {
  readonly title: string;
  readonly query: string;
  readonly time?: number;
  readonly range?: readonly [start: number, end: number];
  readonly result: readonly string[];
}

export const SA = "service_cpm{service='A',layer='GENERAL'}";
export const SB = "service_cpm{service='B',layer='GENERAL'}";
export const PCT_A = "service_percentile{service='A',layer='GENERAL'}";
export const PCT_B = "service_percentile{service='B',layer='GENERAL'}";
/** The labels of the results of `SA` and, with one percentile, `PCT_A`. */
export const A = 'layer="GENERAL",scope="Service",service="A"';
export const p = (value: string): string => `layer="GENERAL",p="${value}",scope="Service",service="A"`;

/** One test a row, on the embedded storage and on one that is easy to see to be right. */
export function testRows(test: TestFn, rows: readonly Row[]): void {
  for (const [storage, use] of [
    ['embedded', 'embedded'],
    ['in memory', MEMORY_ADAPTER],
  ] as const) {
    const scene = withScene(test, use);
    for (const {title, query, time, range, result} of rows) {
      test(`${storage}: ${title}: ${query}`, async t => {
        const text = range === undefined ? await scene.instant(query, time) : await scene.range(query, ...range);
        t.deepEqual(text.split('\n'), [...result]);
      });
    }
  }
}
