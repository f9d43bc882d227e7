import {GatewayError, type OtlpListedAttribute} from '../../../core/api/plugin.js';
import type {QueryAttribute, QueryCondition} from '../language/ast.js';
import {parseAttribute, spanAttribute} from '../language/attribute.js';
import type {QuerySubset} from '../language/subset.js';

/** Scopes by which tag names are listed. Those of events, links and instrumentation are always empty here. */
export const SCOPES = ['resource', 'span', 'intrinsic', 'event', 'link', 'instrumentation'] as const;

export type TagScope = (typeof SCOPES)[number];

/** `service` is another name of `service.name`, which clients look for. */
export const RESOURCE_TAGS: readonly string[] = ['service.name', 'service'];

export const INTRINSIC_TAGS: readonly string[] = ['duration', 'kind', 'name', 'status'];

/**
 * What the values of a tag name are: an attribute to read, the list of statuses, or nothing, of which no span has a
 * value. Any name is known: as clients write it in a query, or without its scope.
 */
export function valuesOf(tagName: string, subset: QuerySubset): OtlpListedAttribute | 'statuses' | 'nothing' {
  if (tagName === 'service.name') return {of: 'service'};
  const attribute = queryAttribute(tagName, subset);
  if (attribute === undefined) return 'nothing';
  switch (attribute.on) {
    case 'duration':
      return 'nothing';
    case 'status':
      return 'statuses';
    case 'tag':
    case 'resource':
      return {of: attribute.on, key: attribute.key};
    case 'name-or-tag':
      return {of: 'tag', key: 'name'};
    default:
      return {of: attribute.on};
  }
}

/**
 * What is being typed between quotes is empty at first: a condition on the very attribute whose values are asked for says
 * nothing then, under whichever name it stands there.
 */
export function withoutTyped(
  conditions: readonly QueryCondition[],
  attribute: OtlpListedAttribute,
): readonly QueryCondition[] {
  return conditions.filter(
    condition => !('value' in condition && condition.value === '' && isOn(condition, attribute)),
  );
}

/** `span.name` is the name and the tag. */
function isOn(condition: QueryCondition, attribute: OtlpListedAttribute): boolean {
  const isTagName = attribute.of === 'tag' && attribute.key === 'name';
  if (condition.on === 'name-or-tag') return isTagName || attribute.of === 'name';
  if (condition.on === 'tag' || condition.on === 'resource')
    return attribute.of === condition.on && attribute.key === condition.key;
  return condition.on === attribute.of;
}

const SCOPED = /^(?:span|resource|event|link|instrumentation|parent|trace)?[.:]/;

function queryAttribute(tagName: string, subset: QuerySubset): QueryAttribute | undefined {
  if (tagName === '') return undefined;
  const isIntrinsic = INTRINSIC_TAGS.includes(tagName);
  if (!isIntrinsic && !SCOPED.test(tagName)) return spanAttribute(tagName);
  try {
    return parseAttribute(tagName, {line: 1, column: 1}, subset);
  } catch (error) {
    if (GatewayError.is(error)) return undefined;
    throw error;
  }
}
