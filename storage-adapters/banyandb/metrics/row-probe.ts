import type {Scope} from '../../../core/api/adapter.js';
import {MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {EVER, equals, type MillisRange} from '../client/criteria.js';
import type {BanyanDBMeasures, MeasureRow} from '../client/measures.js';
import type {RowSchema} from '../client/row-schema.js';
import {wholeAnswer} from '../client/whole-answer.js';
import {endsOf} from '../schema/entity-ids.js';
import type {RegistryState} from '../schema/registry.js';
import {scopeById} from './metric-scope.js';

/** What a few rows show of a metric. */
export interface RowSample {
  /** `none`: rows of something that has no scope here. */
  readonly scope: Scope | 'none';
  /** Texts of the value field, where it has texts. */
  readonly texts: readonly string[];
}

/** A limit does not make a query cheap, the window does: each is asked only when the one before has no rows. */
const WINDOWS = [2 * MS_PER_MINUTE, MS_PER_HOUR, MS_PER_DAY];
const ROWS = 20;
/** Names that one service may have, of which only one is looked for. */
const MOST_CHILDREN = 100_000;

/** Looks at rows of metrics whose schema does not say what they are of. */
export class RowProbe {
  readonly #measures: BanyanDBMeasures;

  constructor(measures: BanyanDBMeasures) {
    this.#measures = measures;
  }

  /** Undefined where there is no row. `deep` looks at all times, otherwise only at the last minutes. */
  async sample(
    metric: string,
    field: string,
    registry: RegistryState,
    deep: boolean,
    signal: AbortSignal,
  ): Promise<RowSample | undefined> {
    const rows = await this.#rows(metric, field, registry, deep, signal);
    const id = rows[0]?.tags.get('entity_id');
    if (id === undefined) return undefined;
    const texts = rows.flatMap(({value}) => (typeof value === 'string' ? value : []));
    const scope = scopeById(id);
    if (scope !== 'child') return {scope: scope ?? 'none', texts};
    const child = await this.#scopeOfChild(id, registry, signal);
    return child === undefined ? undefined : {scope: child, texts};
  }

  async #rows(
    metric: string,
    field: string,
    {minute, hour, day}: RegistryState,
    deep: boolean,
    signal: AbortSignal,
  ): Promise<readonly MeasureRow[]> {
    const ask = async (schema: RowSchema | undefined, span: MillisRange): Promise<readonly MeasureRow[]> => {
      if (schema === undefined) return [];
      const query = {schema, span, conditions: [], tags: ['entity_id'], field, newestFirst: true, limit: ROWS};
      return this.#measures.rows(query, signal);
    };
    const now = Math.floor(Date.now() / MS_PER_MINUTE) * MS_PER_MINUTE;
    for (const length of deep ? WINDOWS : WINDOWS.slice(0, 1)) {
      const rows = await ask(minute.get(`${metric}_minute`), {begin: now - length, end: now});
      if (rows.length > 0) return rows;
    }
    if (!deep) return [];
    // A row a day for each entity: few enough to look at all of them.
    const days = await ask(day.get(`${metric}_day`), EVER);
    return days.length > 0 ? days : ask(hour.get(`${metric}_hour`), EVER);
  }

  /** The ids of instances and endpoints look alike: whose list has it? */
  async #scopeOfChild(id: string, {metadata}: RegistryState, signal: AbortSignal): Promise<Scope | undefined> {
    const service = endsOf('ServiceInstance', id)[0]?.serviceId ?? '';
    for (const [name, scope] of [
      ['instance_traffic_minute', 'ServiceInstance'],
      ['endpoint_traffic_minute', 'Endpoint'],
    ] as const) {
      const schema = metadata.get(name);
      if (schema === undefined) continue;
      const query = {schema, span: EVER, conditions: [equals('service_id', service)], tags: ['id', 'service_id']};
      const rows = await wholeAnswer(limit => this.#measures.rows({...query, limit}, signal), {
        first: 10_000,
        most: MOST_CHILDREN,
        option: 'maxEntities',
        what: `names of the service ${service}`,
      });
      if (rows.some(({tags}) => tags.get('id') === id)) return scope;
    }
    return undefined;
  }
}
