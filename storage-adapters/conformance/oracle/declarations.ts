import {
  compareNames,
  GatewayError,
  type MetricDefinition,
  type MetricHistory,
  type Rollup,
  STEP_SECONDS,
} from '../../../core/api/adapter.js';

interface Declared {
  readonly definition: MetricDefinition;
  /** The rollups that the metric has had, each from a day on, newest first. */
  readonly rollups: readonly {readonly from: number; readonly rollup: Rollup}[];
}

/** The catalog, and which rollup makes which day. */
export class OracleDeclarations {
  #declared: ReadonlyMap<string, Declared> = new Map();
  #catalog: readonly MetricDefinition[] = [];

  get catalog(): readonly MetricDefinition[] {
    return this.#catalog;
  }

  /** The rollups of every metric in the form of the contract: by hours, oldest first. */
  histories(): readonly MetricHistory[] {
    return this.#catalog.map(definition => {
      const rollups = this.#declared.get(definition.name)?.rollups ?? [];
      const fromHour = (from: number): number => (Number.isFinite(from) ? from / STEP_SECONDS.hour : 0);
      return {definition, rollups: rollups.toReversed().map(({from, rollup}) => ({from: fromHour(from), rollup}))};
    });
  }

  /** Takes the rollups that a metric had elsewhere, where it never had another here than the last of them. */
  adopt({definition, rollups}: MetricHistory): void {
    const own = this.#declared.get(definition.name);
    if (own?.rollups.length !== 1 || own.rollups[0]?.rollup !== rollups.at(-1)?.rollup) return;
    const adopted = rollups.map(({from, rollup}, i) => ({
      from: i === 0 ? Number.NEGATIVE_INFINITY : from * STEP_SECONDS.hour,
      rollup,
    }));
    this.#declared = new Map(this.#declared).set(definition.name, {...own, rollups: adopted.toReversed()});
  }

  rollupAt(metric: string, time: number): Rollup {
    return this.#declared.get(metric)?.rollups.find(({from}) => time >= from)?.rollup ?? 'avg';
  }

  /** Takes all or none. `nextDay` gives the start of the day after the newest that has values of a metric. */
  declare(metrics: readonly MetricDefinition[], nextDay: (metric: string) => number): void {
    const declared = new Map(this.#declared);
    for (const definition of metrics) {
      const before = declared.get(definition.name);
      if (before !== undefined) refuseConflict(before.definition, definition);
      declared.set(definition.name, {definition, rollups: rollupsOf(before, definition, nextDay)});
    }
    this.#declared = declared;
    const catalog = [...declared.values()].map(({definition}) => definition);
    catalog.sort((a, b) => compareNames(a.name, b.name));
    if (JSON.stringify(catalog) !== JSON.stringify(this.#catalog)) this.#catalog = catalog;
  }
}

function rollupsOf(
  before: Declared | undefined,
  {name, rollup}: MetricDefinition,
  nextDay: (metric: string) => number,
): Declared['rollups'] {
  if (before === undefined) return [{from: Number.NEGATIVE_INFINITY, rollup}];
  if (before.definition.rollup === rollup) return before.rollups;
  const from = nextDay(name);
  return [{from, rollup}, ...before.rollups.filter(earlier => earlier.from < from)];
}

function refuseConflict(before: MetricDefinition, again: MetricDefinition): void {
  const shape = ({scope, kind, valueLabels}: MetricDefinition): string => [scope, kind, ...valueLabels].join(' ');
  if (shape(before) === shape(again)) return;
  throw new GatewayError(
    'bad_request',
    `the metric "${again.name}" is declared as "${shape(before)}" and cannot become "${shape(again)}"`,
  );
}
