import {type ErrorCode, GatewayError, type SpanStatus} from '../../../core/api/plugin.js';
import {didYouMean, parameterProblem} from '../../../core/toolkit/messages.js';
import type {QueryCondition} from '../language/ast.js';
import {spanAttribute} from '../language/attribute.js';
import {STATUSES} from '../language/enumerations.js';
import type {QuerySubset} from '../language/subset.js';

const PAIR = /\s*([^\s="]+)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"(?=\s|$)|([^\s"=]+)(?=\s|$))\s*/sy;

/** The conditions of the older parameter `tags`: `key=value` pairs between blanks, values with blanks in double quotes. */
export function parseTags(text: string, subset: QuerySubset): readonly QueryCondition[] {
  const conditions: QueryCondition[] = [];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const at = PAIR.lastIndex;
    const [, key, quoted, bare] = PAIR.exec(text) ?? [];
    const value = bare ?? quoted?.replaceAll(/\\(.)/gs, '$1');
    if (key === undefined || value === undefined || value === '') {
      refuse(
        'bad_request',
        text.slice(at).trim(),
        'expected key=value pairs, as in service.name=shop http.method="GET"',
      );
    }
    conditions.push(conditionOf(key, value, subset));
  }
  return conditions;
}

/** What the API means by these keys when they stand for no tag. */
const ROOT: ReadonlySet<string> = new Set(['root.name', 'root.service.name']);
const WHY_NO_ROOT = 'conditions are on one span, and not on the root of its trace';

function statusOf(text: string): SpanStatus {
  const status = STATUSES.find(text);
  if (status !== undefined) return status;
  return refuse('bad_request', text, `expected as a status one of ${STATUSES}${didYouMean(text, STATUSES.lowerCase)}`);
}

function conditionOf(key: string, value: string, {resourceAttributes}: QuerySubset): QueryCondition {
  if (key === 'name' || key === 'span.name') return {on: 'name', value};
  const name = key.replace(/^(?:span|resource)?\./, '');
  if (name === 'service.name' || key === 'resource.service') return {on: 'service', value};
  if (key === 'status.code') return {on: 'status', value: statusOf(value)};
  if (ROOT.has(key)) refuse('unsupported_query', key, `which is not in this subset: ${WHY_NO_ROOT}`);
  if (resourceAttributes && key.startsWith('resource.')) return {on: 'resource', key: name, value};
  const attribute = spanAttribute(name);
  return attribute.on === 'tag' ? {...attribute, value} : {on: 'name-or-tag', value};
}

function refuse(code: ErrorCode, found: string, problem: string): never {
  throw new GatewayError(code, parameterProblem('tags', found, problem));
}
