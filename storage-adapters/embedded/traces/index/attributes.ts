import type {Attribute, SpanCondition} from '../../../../core/api/adapter.js';
import type {IndexedSpan} from '../../../../core/toolkit/traces/model.js';

/**
 * The names of attributes in the index. Those of tags begin with a point, so that no tag collides with the others.
 * TAG_KEYS has the keys of a span's tags as its values.
 */
const SERVICE = 's';
const NAME = 'n';
const KIND = 'k';
const STATUS = 'e';
export const TAG_KEYS = 't';

const INTRINSIC = {service: SERVICE, name: NAME, kind: KIND, status: STATUS} as const;

/** An attribute and the value that it must have. */
export type Term = readonly [attribute: string, value: string];

export function attributeName(attribute: Attribute): string {
  return attribute.of === 'tag' ? `.${attribute.key}` : INTRINSIC[attribute.of];
}

/** Whether an empty value says that the span has none. */
export function isNoValue(attribute: string, value: string): boolean {
  return value === '' && (attribute === SERVICE || attribute === NAME);
}

/** The terms of which one must hold; undefined for a condition on the duration, which is not in the postings. */
export function termsOf(condition: SpanCondition): readonly Term[] | undefined {
  switch (condition.on) {
    case 'duration':
      return undefined;
    case 'tag':
      return [[`.${condition.key}`, condition.value]];
    case 'name-or-tag':
      return [
        [NAME, condition.name],
        ['.name', condition.value],
      ];
    default:
      return [[INTRINSIC[condition.on], condition.value]];
  }
}

/** Calls `take` with every term of a span, in text that the database can hold. */
export function forEachTerm(span: IndexedSpan, take: (attribute: string, value: string) => void): void {
  if (span.service !== undefined) take(SERVICE, span.service.toWellFormed());
  take(NAME, span.name.toWellFormed());
  take(KIND, span.kind);
  take(STATUS, span.status);
  for (const [tag, value] of span.tags) {
    const key = tag.toWellFormed();
    take(TAG_KEYS, key);
    take(`.${key}`, value.toWellFormed());
  }
}
