import {quote} from '../../../../core/toolkit/messages.js';
import type {RecordObject} from '../json/record-object.js';

const HEX = /^[0-9a-f]+$/;
const LEADING_ZEROS = /^0+/;

/** 16 digits, or 32 when the upper half of the id is not zero. */
export function readTraceId(span: RecordObject): string {
  const digits = requiredDigits(span, 'traceId', 32);
  return digits.padStart(digits.length > 16 ? 32 : 16, '0');
}

export function readSpanId(span: RecordObject): string {
  return requiredDigits(span, 'id', 16).padStart(16, '0');
}

/** Undefined for what means that there is no parent: no id, zero, or the span's own. */
export function readParentId(span: RecordObject, id: string): string | undefined {
  const digits = readDigits(span, 'parentId', 16);
  const parentId = digits.padStart(16, '0');
  return digits === '' || parentId === id ? undefined : parentId;
}

function requiredDigits(span: RecordObject, key: string, most: number): string {
  if (!span.has(key)) span.refuse(key, 'missing');
  const digits = readDigits(span, key, most);
  if (digits === '') span.refuse(key, `found ${quote(span.name(key))}, expected hex digits that are not all zero`);
  return digits;
}

/** In lower case without leading zeros; empty when there is no id. */
function readDigits(span: RecordObject, key: string, most: number): string {
  const written = span.name(key).trim();
  const text = written.toLowerCase();
  if (text === '') return '';
  if (text.length > most || !HEX.test(text)) {
    span.refuse(key, `found ${quote(written)}, expected 1 to ${most} hex digits`);
  }
  return text.replace(LEADING_ZEROS, '');
}
