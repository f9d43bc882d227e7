import type {QueryCondition} from './ast.js';
import {printDuration} from './literals.js';

/** The canonical form of a query: `parseQuery` reads it back as the same conditions. */
export function print(conditions: readonly QueryCondition[]): string {
  return `{${conditions.map(printCondition).join(' && ')}}`;
}

function printCondition(condition: QueryCondition): string {
  switch (condition.on) {
    case 'service':
      return `resource.service.name=${printText(condition.value)}`;
    case 'name':
      return `name=${printText(condition.value)}`;
    case 'name-or-tag':
      return `span.name=${printText(condition.value)}`;
    case 'tag':
    case 'resource': {
      const scope = condition.on === 'tag' ? 'span' : 'resource';
      const key = PLAIN.test(condition.key) ? condition.key : quote(condition.key);
      return `${scope}.${key}=${printText(condition.value)}`;
    }
    case 'kind':
    case 'status':
      return `${condition.on}=${condition.value.toLowerCase()}`;
    case 'duration':
      return `duration${condition.is}${printDuration(condition.value)}`;
  }
}

/** A name that every parser of the language takes without quotes. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*$/;

/** Over line breaks in backticks where they do, because the editors of the language know no escape for them. */
function printText(text: string): string {
  return text.includes('\n') && !/[`\r]/.test(text) ? `\`${text}\`` : quote(text);
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
