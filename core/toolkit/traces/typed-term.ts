import {
  OTLP_VALUE_TYPES,
  type OtlpValue,
  type OtlpValueType,
  otlpText,
  otlpValueType,
  type TypedText,
} from '../../api/adapter.js';

/**
 * A value of OTLP in an index: one letter for its type, and its text. The letters are in the order of `OTLP_VALUE_TYPES`, so
 * terms in the order of names are in the order of the contract.
 */

export function typedTerm(value: OtlpValue): string {
  return `${letterOf(otlpValueType(value))}${otlpText(value).toWellFormed()}`;
}

/** What `typedTerm` was made of. */
export function termText(term: string): TypedText {
  const type = OTLP_VALUE_TYPES.find(each => letterOf(each) === term[0]) ?? 'string';
  return {type, text: term.slice(1)};
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The terms of all values that have a text: one of them is in the index where a condition on the text holds. */
export function termsOfText(text: string): readonly string[] {
  const terms: string[] = [];
  if (text === 'true' || text === 'false') terms.push(`${letterOf('bool')}${text}`);
  if (text === String(Number(text))) terms.push(`${letterOf('double')}${text}`);
  if (INTEGER.test(text)) terms.push(`${letterOf('int')}${text}`);
  terms.push(`${letterOf('string')}${text}`);
  return terms;
}

function letterOf(type: OtlpValueType): string {
  return type.charAt(0);
}
