import type {MetricDefinition, RollupHistory, Scope} from '../../../../core/api/adapter.js';
import type {Database} from '../../disk/database.js';
import type {Opened} from '../../threads/writer-protocol.js';
import {NewestReader} from './newest-reader.js';

/** Reads everything that the serving thread keeps in memory. */
export function readCatalog(database: Database): Omit<Opened, 'clock'> {
  const newest = new NewestReader(database);
  const metrics = database
    .prepare<[], [number, string, string]>('SELECT id, definition, rollups FROM metrics ORDER BY id')
    .raw()
    .all()
    .map(([id, definition, rollups]) => ({
      id,
      definition: JSON.parse(definition) as MetricDefinition,
      rollups: JSON.parse(rollups) as RollupHistory,
    }));
  const entities = database
    .prepare<[], [number, Scope, string, number | null, number | null]>(
      'SELECT id, scope, names, first, last FROM entities ORDER BY id',
    )
    .raw()
    .all()
    .map(([id, scope, names, first, last]) => ({id, scope, names: JSON.parse(names) as string[], first, last}));
  const series = database
    .prepare<[], [number, number, number, string]>('SELECT id, metric, entity, labels FROM series ORDER BY id')
    .raw()
    .all()
    .map(([id, metric, entity, labels]) => ({id, metric, entity, labels: JSON.parse(labels) as string[]}));
  const newestHours = new Map<number, number>();
  for (const {id} of metrics) {
    const hour = newest.ofMetric(id, Number.POSITIVE_INFINITY, 'hour');
    if (Number.isFinite(hour)) newestHours.set(id, hour);
  }
  return {metrics, entities, series, newestHours};
}
