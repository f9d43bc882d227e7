import type {Completion, CompletionContext, CompletionResult} from '@codemirror/autocomplete';
import {startCompletion} from '@codemirror/autocomplete';
import type {EditorView} from '@codemirror/view';
import {askMetrics} from '../base/api.js';
import {spotAt, type WrittenSelector} from './scan.js';

/** The gateway cuts a list at its own limit; without one here it would be at the first hundred labels. */
const ALL = 100_000;
const KEEP = 60_000;
const AGGREGATIONS = ['sum', 'min', 'max', 'avg'];
const FIXED: Readonly<Record<string, readonly string[]>> = {order: ['DES', 'ASC'], top_n: ['5', '10', '20', '50']};

type Metadata = Readonly<Record<string, readonly {readonly help: string; readonly unit: string}[]>>;

const kept = new Map<string, {readonly at: number; readonly answer: Promise<unknown>}>();

/** Lists change seldom, and are asked for at every key. */
function asked<T>(path: string, parameters: Readonly<Record<string, string | number>>): Promise<T> {
  const key = `${path} ${JSON.stringify(parameters)}`;
  const known = kept.get(key);
  if (known !== undefined && Date.now() - known.at < KEEP) return known.answer as Promise<T>;
  const answer = askMetrics<T>(path, parameters, new AbortController().signal);
  kept.set(key, {at: Date.now(), answer});
  answer.catch(() => kept.delete(key));
  return answer;
}

/** The source of the editor's suggestions: what this gateway has, and nothing that it refuses. */
export async function suggest(context: CompletionContext): Promise<CompletionResult | null> {
  const spot = spotAt(context.state.sliceDoc(0, context.pos));
  if (spot.kind === 'nothing') return null;
  const isEmpty = spot.from === context.pos;
  if (isEmpty && spot.kind === 'name' && !context.explicit) return null;
  try {
    if (spot.kind === 'name') {
      const validFor = /^\w*$/;
      return {from: spot.from, options: await names(), validFor};
    }
    if (spot.kind === 'label') return {from: spot.from, options: await labels(spot.selector), validFor: /^\w*$/};
    const values = await valuesOf(spot.label, spot.selector);
    const next = context.state.sliceDoc(context.pos, context.pos + 1);
    const closing = next === spot.quote ? '' : spot.quote;
    const options = values.map(value => ({label: value, apply: escaped(value, spot.quote) + closing, type: 'text'}));
    return {from: spot.from, options, validFor: /^[^'"`\\]*$/};
  } catch {
    // Whoever has no suggestions writes without them; the run says what is wrong.
    return null;
  }
}

async function names(): Promise<Completion[]> {
  const [found, metadata] = await Promise.all([
    asked<string[]>('label/__name__/values', {limit: ALL}),
    asked<Metadata>('metadata', {}),
  ]);
  const metrics = found.map((name): Completion => {
    const [about] = metadata[name] ?? [];
    const unit = about?.unit ? ` (${about.unit})` : '';
    return {label: name, type: 'variable', ...(about?.help && {info: about.help + unit})};
  });
  return [...metrics, ...AGGREGATIONS.map((name): Completion => ({label: name, type: 'function'}))];
}

async function labels({metric, labels: used}: WrittenSelector): Promise<Completion[]> {
  const found = await asked<string[]>('labels', {limit: ALL, ...(metric !== '' && {'match[]': metric})});
  const all = found.includes('top_n') ? [...new Set([...found, 'parent_service'])] : found;
  return all
    .filter(name => !used.has(name) && !name.startsWith('__'))
    .map(name => ({label: name, type: 'property', apply: insertLabel}));
}

/** Writes the label and its first quote, and goes on with its values. */
function insertLabel(view: EditorView, {label}: Completion, from: number, to: number): void {
  const text = `${label}='`;
  view.dispatch({changes: {from, to, insert: text}, selection: {anchor: from + text.length}});
  startCompletion(view);
}

async function valuesOf(label: string, {metric, labels: given}: WrittenSelector): Promise<readonly string[]> {
  const fixed = FIXED[label];
  if (fixed !== undefined) return fixed;
  const isFar = label.startsWith('dest_');
  const prefix = isFar ? 'dest_' : '';
  const near = isFar ? label.slice('dest_'.length) : label;
  const layer = given.get(`${prefix}layer`) ?? given.get('layer');
  const service = given.get(`${prefix}service`) ?? given.get('parent_service');
  const traffic = TRAFFIC[near];
  if (traffic !== undefined && layer !== undefined) {
    const {metric: name, value, ofService} = traffic;
    const of = ofService && service !== undefined ? `,service='${escaped(service, "'")}'` : '';
    const match = `${name}{layer='${escaped(layer, "'")}'${of}}`;
    return asked(`label/${value}/values`, {limit: ALL, 'match[]': match});
  }
  const known = [...given].map(([name, value]) => `${name}='${escaped(value, "'")}'`).join(',');
  const match = near === 'layer' ? metric : `${metric}{${known}}`;
  return asked(`label/${near}/values`, {limit: ALL, ...(metric !== '' && {'match[]': match})});
}

const TRAFFIC: Readonly<
  Record<string, {readonly metric: string; readonly value: string; readonly ofService: boolean}>
> = {
  service: {metric: 'service_traffic', value: 'service', ofService: false},
  parent_service: {metric: 'service_traffic', value: 'service', ofService: false},
  service_instance: {metric: 'instance_traffic', value: 'service_instance', ofService: true},
  endpoint: {metric: 'endpoint_traffic', value: 'endpoint', ofService: true},
};

/** A name may hold the quote that it is written in. */
function escaped(text: string, quote: string): string {
  return text.replace(/[\\\n]/g, char => (char === '\n' ? '\\n' : '\\\\')).replaceAll(quote, `\\${quote}`);
}
