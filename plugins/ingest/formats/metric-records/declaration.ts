import type {MetricDefinition, MetricKind, Rollup, Scope} from '../../../../core/api/plugin.js';
import {ENTITY_KEYS} from '../../../../core/api/plugin.js';
import {listOf, quote} from '../../../../core/toolkit/messages.js';
import {type Fields, refuse, refuseValue} from '../refusal.js';
import {checkKeys, choiceField, contentField, identifier, shortField} from './fields.js';
import {isReservedLabel, isReservedMetric} from './reserved-names.js';

export const SCOPES = Object.keys(ENTITY_KEYS) as readonly Scope[];
const KINDS: readonly MetricKind[] = ['common', 'labeled', 'sampled-record'];
/** The metric types of the exposition formats. */
const TYPES = ['gauge', 'counter', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset', 'unknown'] as const;
const ROLLUPS: readonly Rollup[] = ['avg', 'sum', 'min', 'max', 'latest'];

const REQUIRED = ['record', 'name', 'scope', 'kind'];
const OPTIONAL = ['type', 'help', 'unit', 'rollup', 'valueLabels'];

/** Reads a `metric` record. `known` is the declaration that holds so far, with whose shape a new one must agree. */
export function readDeclaration(
  fields: Fields,
  known: (name: string) => MetricDefinition | undefined,
): MetricDefinition {
  checkKeys(fields, REQUIRED, OPTIONAL, 'a metric record');
  const kind = choiceField(fields, 'kind', KINDS);
  const definition: MetricDefinition = {
    name: readName(fields),
    scope: choiceField(fields, 'scope', SCOPES),
    kind,
    type: 'type' in fields ? choiceField(fields, 'type', TYPES) : 'gauge',
    help: 'help' in fields ? contentField(fields, 'help') : '',
    unit: 'unit' in fields ? shortField(fields, 'unit') : '',
    rollup: 'rollup' in fields ? choiceField(fields, 'rollup', ROLLUPS) : 'avg',
    valueLabels: readValueLabels(fields, kind),
  };
  const before = known(definition.name);
  if (before === undefined) return definition;
  checkAgreement(definition, before);
  // The order of the labels is that of the first declaration: storage may depend on it.
  return {...definition, valueLabels: before.valueLabels};
}

function readName(fields: Fields): string {
  const name = identifier(fields.name, 'name');
  if (isReservedMetric(name))
    refuse('name', `found ${quote(name)}, which is reserved: a query takes it for something else`);
  return name;
}

/** Whether a series that fits the one declaration fits the other. */
export function sameShape(a: MetricDefinition, b: MetricDefinition): boolean {
  return a === b || (a.scope === b.scope && a.kind === b.kind && sameLabels(a.valueLabels, b.valueLabels));
}

function readValueLabels(fields: Fields, kind: MetricKind): readonly string[] {
  const labels = Object.hasOwn(fields, 'valueLabels') ? fields.valueLabels : [];
  if (!Array.isArray(labels)) return refuseValue('valueLabels', labels, 'an array of label names');
  if (kind === 'labeled' && labels.length === 0) {
    refuse('valueLabels', 'a metric of the kind labeled names at least one label, for example ["p"]');
  }
  if (kind !== 'labeled' && labels.length > 0) {
    refuse('valueLabels', `a metric of the kind ${kind} has none; only labeled metrics have`);
  }
  const names = labels.map(label => identifier(label, 'valueLabels'));
  if (new Set(names).size < names.length) refuse('valueLabels', `found ${listOf(names)}, which names a label twice`);
  const reserved = names.find(isReservedLabel);
  if (reserved !== undefined) {
    refuse(
      'valueLabels',
      `found ${quote(reserved)}, which is reserved: a query takes it for something else, and so names that begin with __`,
    );
  }
  return names;
}

function checkAgreement(definition: MetricDefinition, before: MetricDefinition): void {
  const {name} = definition;
  if (definition.scope !== before.scope) {
    refuse('scope', `found "${definition.scope}", but "${name}" is already declared with the scope "${before.scope}"`);
  }
  if (definition.kind !== before.kind) {
    refuse('kind', `found "${definition.kind}", but "${name}" is already declared with the kind "${before.kind}"`);
  }
  if (!sameLabels(definition.valueLabels, before.valueLabels)) {
    const [now, then] = [listOf(definition.valueLabels), listOf(before.valueLabels)];
    refuse('valueLabels', `found ${now}, but "${name}" is already declared with ${then}`);
  }
}

function sameLabels(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every(label => b.includes(label));
}
