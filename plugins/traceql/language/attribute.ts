import {GatewayError, type Position} from '../../../core/api/plugin.js';
import {decodeGoString} from '../../../core/toolkit/language/go-string.js';
import {didYouMean, excerpt, quote} from '../../../core/toolkit/messages.js';
import type {QueryAttribute} from './ast.js';
import type {QuerySubset} from './subset.js';

const INTRINSICS = ['name', 'status', 'kind', 'duration'] as const;
/** Those of the full language, which this subset names and refuses. */
const OTHER_INTRINSICS: ReadonlySet<string> = new Set([
  'traceDuration',
  'rootName',
  'rootServiceName',
  'statusMessage',
  'childCount',
  'parent',
  'nestedSetLeft',
  'nestedSetRight',
  'nestedSetParent',
]);
const OTHER_SCOPES: ReadonlySet<string> = new Set(['event', 'link', 'instrumentation', 'parent', 'trace']);

/** Whether the full language has an intrinsic of this name, written without a scope. */
export function isIntrinsic(word: string): boolean {
  return INTRINSICS.some(name => name === word) || OTHER_INTRINSICS.has(word);
}

/** What to write in place of a scope that stands alone. */
const SCOPES: Readonly<Record<string, string>> = {
  resource: 'resource.service.name',
  span: 'span. and the name of a tag, as in span.http.method',
};

/** Text in quotes within an attribute, directly after a dot. */
const QUOTED = /(?<=\.)"[^"\\]*(?:\\[\s\S][^"\\]*)*"/g;

/**
 * The attribute that a word names. `attribute` is text from a query, with quotes where they are needed; refuses what the
 * subset lacks with its name.
 */
export function parseAttribute(attribute: string, position: Position, subset: QuerySubset): QueryAttribute {
  const intrinsic = INTRINSICS.find(name => name === attribute || `span:${name}` === attribute);
  if (intrinsic !== undefined) return {on: intrinsic};
  const [, scope, separator, rest = ''] = /^([A-Za-z]*)([.:])([\s\S]*)$/.exec(attribute) ?? [];
  if (separator === ':' || OTHER_INTRINSICS.has(attribute)) {
    throw unsupported(`the intrinsic ${quote(attribute)}`, 'it has name, status, kind and duration', position);
  }
  if (OTHER_SCOPES.has(attribute))
    throw unsupported(`the scope ${quote(attribute)}`, 'it has span and resource', position);
  if (scope !== undefined && OTHER_SCOPES.has(scope)) {
    throw unsupported(`the scope ${quote(scope)} of ${quote(attribute)}`, 'it has span and resource', position);
  }
  const instead = separator === undefined && Object.hasOwn(SCOPES, attribute) ? SCOPES[attribute] : undefined;
  if (instead !== undefined) {
    throw new GatewayError('syntax', `${quote(attribute)} is a scope and no attribute: write ${instead}`, {position});
  }
  if (separator === undefined || (scope !== '' && scope !== 'span' && scope !== 'resource')) {
    const near =
      separator === undefined ? didYouMean(attribute, INTRINSICS) : didYouMean(scope ?? '', ['span', 'resource']);
    const message = `${quote(attribute)} is no attribute: write span.${excerpt(attribute)} for a tag${near}`;
    throw new GatewayError('syntax', message, {position});
  }
  const name = `.${rest}`.replace(QUOTED, text => decodeGoString(text, position)).slice(1);
  if (name === '') {
    throw new GatewayError('syntax', `${quote(attribute)} lacks the name of the attribute`, {position});
  }
  if (scope === 'resource') return resourceAttribute(name, position, subset);
  return scope === '' && name === 'service.name' ? {on: 'service'} : spanAttribute(name);
}

function resourceAttribute(name: string, position: Position, {resourceAttributes}: QuerySubset): QueryAttribute {
  if (name === 'service.name' || name === 'service') return {on: 'service'};
  if (resourceAttributes) return {on: 'resource', key: name};
  throw unsupported(`the attribute ${quote(`resource.${name}`)}`, 'of resource it has service.name', position);
}

/** The attribute of a span, by its name without scope. */
export function spanAttribute(name: string): QueryAttribute {
  return name === 'name' ? {on: 'name-or-tag'} : {on: 'tag', key: name};
}

function unsupported(what: string, instead: string, position: Position): GatewayError {
  return new GatewayError('unsupported_query', `${what} is not in this subset: ${instead}`, {position});
}
