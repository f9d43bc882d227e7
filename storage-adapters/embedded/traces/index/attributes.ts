import type {OtlpCondition, OtlpListedAttribute} from '../../../../core/api/adapter.js';
import type {IndexedSpan, TraceModelName} from '../../../../core/toolkit/traces/model.js';
import {termsOfText} from '../../../../core/toolkit/traces/typed-term.js';

/**
 * The names of attributes in the index. Those of tags begin with a point, those of resources with another sign, so that none
 * collides with the others. TAG_KEYS has the keys of a span's tags as its values, RESOURCE_KEYS those of its resource. Values
 * of tags and resources of OTLP are typed terms.
 */
export const SERVICE = 's';
export const NAME = 'n';
export const KIND = 'k';
export const STATUS = 'e';
export const TAG_KEYS = 't';
export const RESOURCE_KEYS = 'r';

const INTRINSIC = {service: SERVICE, name: NAME, kind: KIND, status: STATUS} as const;

/** An attribute and the value that it must have. */
export type Term = readonly [attribute: string, value: string];

export function attributeName(attribute: OtlpListedAttribute): string {
  if (attribute.of === 'tag') return tagName(attribute.key);
  return attribute.of === 'resource' ? resourceName(attribute.key) : INTRINSIC[attribute.of];
}

export const tagName = (key: string): string => `.${key}`;
export const resourceName = (key: string): string => `@${key}`;

/** Whether an empty value says that the span has none. */
export function isNoValue(attribute: string, value: string): boolean {
  return value === '' && (attribute === SERVICE || attribute === NAME);
}

/** The terms of which one must hold; undefined for a condition on the duration, which is not in the postings. */
export function termsOf(condition: OtlpCondition, model: TraceModelName): readonly Term[] | undefined {
  const each = (attribute: string, text: string): readonly Term[] =>
    (model === 'otlp' ? termsOfText(text) : [text]).map(value => [attribute, value]);
  switch (condition.on) {
    case 'duration':
      return undefined;
    case 'tag':
      return each(tagName(condition.key), condition.value);
    case 'resource':
      return each(resourceName(condition.key), condition.value);
    case 'name-or-tag':
      return [[NAME, condition.name], ...each(tagName('name'), condition.value)];
    default:
      return [[INTRINSIC[condition.on], condition.value]];
  }
}

/** Calls `take` with every term of a compat or native span, in text that the database can hold. */
export function forEachTerm(span: IndexedSpan, take: (attribute: string, value: string) => void): void {
  if (span.service !== undefined) take(SERVICE, span.service.toWellFormed());
  take(NAME, span.name.toWellFormed());
  take(KIND, span.kind);
  take(STATUS, span.status);
  for (const [tag, value] of span.tags) {
    const key = tag.toWellFormed();
    take(TAG_KEYS, key);
    take(tagName(key), value.toWellFormed());
  }
}
