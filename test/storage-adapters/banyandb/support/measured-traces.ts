import type {CompatSpan, Segment} from '../../../../core/api/adapter.js';
import {compatSpan, nativeSpan, segment} from '../../../../storage-adapters/conformance/data/spans.js';

/** Half past twelve of a UTC day, in milliseconds: the end of the half hour that the traces of the measurements are in. */
export const END = Date.UTC(2026, 0, 5, 12, 30);
export const COUNT = 4000;
export const KINDS = ['compat', 'native'] as const;
export type Kind = (typeof KINDS)[number];

export const startOf = (i: number): number => END - 1 - Math.floor((i * 1_799_999) / COUNT);
export const idOf = (kind: Kind, i: number): string =>
  kind === 'compat' ? i.toString(16).padStart(16, '0') : `t-${i}`;
export const serviceOf = (i: number): string => `svc-${(i * 7) % 41}`;
export const isError = (i: number): boolean => i % 17 === 0;
export const methodOf = (i: number): string => ['GET', 'POST', 'PUT'][i % 9] ?? 'HEAD';
export const durationOf = (i: number): number => (i * 13) % 500;

/** 4,000 traces of one row over half an hour. */
export const segmentOf = (i: number): Segment =>
  segment(
    idOf('native', i),
    `s-${i}`,
    [
      nativeSpan(0, startOf(i), {
        endTime: startOf(i) + durationOf(i),
        isError: isError(i),
        spanType: 'Entry',
        tags: [{key: 'http.method', value: methodOf(i)}],
      }),
    ],
    serviceOf(i),
  );
export const segments = (): readonly Segment[] => Array.from({length: COUNT}, (_, i) => segmentOf(i));
export const spanOf = (i: number): CompatSpan =>
  compatSpan(idOf('compat', i), 1, {
    timestamp: startOf(i) * 1000,
    duration: durationOf(i) * 1000,
    kind: 'SERVER',
    name: 'work',
    localEndpoint: {serviceName: serviceOf(i)},
    tags: new Map([...(isError(i) ? [['error', 'true'] as const] : []), ['http.method', methodOf(i)] as const]),
  });
export const spans = (): readonly CompatSpan[] => Array.from({length: COUNT}, (_, i) => spanOf(i));
