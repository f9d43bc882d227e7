import {escapeHelp, escapeLabelValue} from './escape.js';
import type {Family, FamilyMetadata, Labels} from './model.js';
import {formatValue} from './value.js';

const METRIC_NAME = /^[A-Za-z_:][A-Za-z0-9_:]*$/;
const LABEL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name in the characters that the format allows: each other one becomes an underscore. */
export function metricName(name: string): string {
  return METRIC_NAME.test(name) ? name : mapped(name.replace(/[^A-Za-z0-9_:]/gu, '_'));
}

/** The same for a label. `__name__` is the name of the series itself, so that it becomes an exported one. */
export function labelName(name: string): string {
  if (name === '__name__') return 'exported___name__';
  return LABEL_NAME.test(name) ? name : mapped(name.replace(/[^A-Za-z0-9_]/gu, '_'));
}

function mapped(name: string): string {
  return name === '' || /^\d/.test(name) ? `_${name}` : name;
}

/** The two lines before the samples of a family; without a help text, one. */
export function writeMetadata(name: string, {type, help}: FamilyMetadata): string {
  const text = help.trim();
  return `${text === '' ? '' : `# HELP ${name} ${escapeHelp(text)}\n`}# TYPE ${name} ${type}\n`;
}

/** A series without its value: `name{label="value",…}`, in the order given. Names are taken as they are. */
export function writeSeries(name: string, labels: Labels): string {
  if (labels.length === 0) return name;
  let text = '';
  for (let index = 0; index + 1 < labels.length; index += 2) {
    text += `${text === '' ? '' : ','}${labels[index]}="${escapeLabelValue(labels[index + 1] ?? '')}"`;
  }
  return `${name}{${text}}`;
}

/** A family whole, its samples in the order given. Reading it back gives the same family, its help text trimmed. */
export function writeFamily({name, samples, ...metadata}: Family): string {
  let text = writeMetadata(name, metadata);
  for (const sample of samples) text += `${writeSeries(sample.name, sample.labels)} ${formatValue(sample.value)}\n`;
  return text;
}
