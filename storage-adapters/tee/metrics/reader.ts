import type {
  Call,
  Column,
  MetricDefinition,
  MetricReader,
  Ranked,
  RankingRequest,
  Readers,
  SampledRecord,
  SampledRecordsRequest,
  ValueLabels,
  ValueLabelsRequest,
  ValuesRequest,
} from '../../../core/api/adapter.js';
import type {TeeComparer} from '../compare/comparer.js';
import {supplied, type TeeQuestion} from '../compare/question.js';
import {watchAnswer} from '../compare/watch.js';

const CAPABILITY = 'metrics.query.v1';
/** Sums of fractions may have been rounded before they were copied. */
const TOLERANCE = 1e-9;

const of = (readers: Readers): MetricReader => supplied(readers[CAPABILITY]);
const copied = <Item>(list: readonly Item[]): readonly Item[] => [...list];

/** Metrics of the primary, compared. */
export class TeeMetricReader implements MetricReader {
  readonly #comparer: TeeComparer;
  readonly #primary: MetricReader;

  constructor(comparer: TeeComparer) {
    this.#comparer = comparer;
    this.#primary = of(comparer.primary);
  }

  catalog(call: Call, current?: boolean): Promise<readonly MetricDefinition[]> {
    const answer = this.#primary.catalog(call, current);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question = {
      ...about('catalog'),
      ask: (readers: Readers, by: Call) => of(readers).catalog(by, current),
      form: catalogForm,
    };
    return watchAnswer(this.#comparer, question, answer);
  }

  values(request: ValuesRequest, call: Call): Promise<readonly Column[]> {
    const answer = this.#primary.values(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question: TeeQuestion<readonly Column[]> = {
      ...about('values', request),
      ask: (readers, by) => of(readers).values(request, by),
      form: columnsForm,
    };
    return watchAnswer(this.#comparer, question, answer, copiedColumns);
  }

  ranking(request: RankingRequest, call: Call): Promise<readonly Ranked[]> {
    const answer = this.#primary.ranking(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question: TeeQuestion<readonly Ranked[]> = {
      ...about('ranking', request),
      ask: (readers, by) => of(readers).ranking(request, by),
      form: ranked => ranked,
    };
    return watchAnswer(this.#comparer, question, answer, copied);
  }

  sampledRecords(request: SampledRecordsRequest, call: Call): Promise<readonly SampledRecord[]> {
    const answer = this.#primary.sampledRecords(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question: TeeQuestion<readonly SampledRecord[]> = {
      ...about('sampledRecords', request),
      ask: (readers, by) => of(readers).sampledRecords(request, by),
      form: records => records,
    };
    return watchAnswer(this.#comparer, question, answer, copied);
  }

  valueLabels(request: ValueLabelsRequest, call: Call): Promise<readonly ValueLabels[]> {
    const answer = this.#primary.valueLabels(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question: TeeQuestion<readonly ValueLabels[]> = {
      ...about('valueLabels', request),
      ask: (readers, by) => of(readers).valueLabels(request, by),
      form: sets => sorted(sets, textOf),
    };
    return watchAnswer(this.#comparer, question, answer, copied);
  }
}

function about(method: keyof MetricReader, request: unknown = {}) {
  return {capability: CAPABILITY, method, request, tolerance: TOLERANCE} as const;
}

/** By the array, which an adapter hands out again as long as nothing has changed. */
const forms = new WeakMap<readonly MetricDefinition[], readonly MetricDefinition[]>();

function catalogForm(catalog: readonly MetricDefinition[]): readonly MetricDefinition[] {
  let form = forms.get(catalog);
  if (form === undefined) {
    form = sorted(catalog, ({name}) => name);
    forms.set(catalog, form);
  }
  return form;
}

function copiedColumns(columns: readonly Column[]): readonly Column[] {
  return columns.map(({labels, values, present}) => ({labels, values: values.slice(), present: present.slice()}));
}

/** In the order of their labels, and without what stands where there is no value. */
function columnsForm(columns: readonly Column[]): unknown {
  const plain = columns.map(({labels, values, present}) => ({
    labels,
    values: Array.from(values, (value, i) => (present[i] === 1 ? value : undefined)),
  }));
  return sorted(plain, ({labels}) => textOf(labels));
}

function textOf(labels: ValueLabels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const keyed = items.map(item => [keyOf(item), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
