import {GatewayError, type SpanStatus} from '../../../core/api/plugin.js';
import type {QueryCondition} from '../language/ast.js';
import {spanAttribute} from '../language/attribute.js';
import {STATUSES} from '../language/enumerations.js';
import {excerpt} from '../messages.js';

const PAIR = /\s*([^\s="]+)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"(?=\s|$)|([^\s"=]+)(?=\s|$))\s*/sy;

/** The conditions of the older parameter `tags`: `key=value` pairs between blanks, values with blanks in double quotes. */
export function parseTags(text: string): readonly QueryCondition[] {
  const conditions: QueryCondition[] = [];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const at = PAIR.lastIndex;
    const [, key, quoted, bare] = PAIR.exec(text) ?? [];
    const value = bare ?? quoted?.replaceAll(/\\(.)/gs, '$1');
    if (key === undefined || value === undefined || value === '') {
      const found = excerpt(text.slice(at).trim());
      const message = `the parameter 'tags' holds key=value pairs, as in service.name=shop http.method="GET", not '${found}'`;
      throw new GatewayError('bad_request', message);
    }
    conditions.push(conditionOf(key, value));
  }
  return conditions;
}

/** What the API means by these keys when they stand for no tag. */
const ROOT: ReadonlySet<string> = new Set(['root.name', 'root.service.name']);

function statusOf(text: string): SpanStatus {
  const status = STATUSES.find(text);
  if (status !== undefined) return status;
  const message = `the parameter 'tags' holds the status '${excerpt(text)}'; expected one of ${STATUSES}`;
  throw new GatewayError('bad_request', message);
}

function conditionOf(key: string, value: string): QueryCondition {
  if (key === 'name' || key === 'span.name') return {on: 'name', value};
  const name = key.replace(/^(?:span|resource)?\./, '');
  if (name === 'service.name' || key === 'resource.service') return {on: 'service', value};
  if (key === 'status.code') return {on: 'status', value: statusOf(value)};
  if (ROOT.has(key)) {
    const message = `the parameter 'tags' holds '${key}', which is not in this subset: conditions are on one span, and not on the root of its trace`;
    throw new GatewayError('unsupported_query', message);
  }
  const field = spanAttribute(name);
  return field.on === 'tag' ? {...field, value} : {on: 'name-or-tag', value};
}
