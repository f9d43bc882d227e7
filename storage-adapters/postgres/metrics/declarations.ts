import {
  adoptedHistory,
  conflictBetween,
  GatewayError,
  isSameDeclaration,
  type MetricDefinition,
  type MetricHistory,
  withRollup,
} from '../../../core/api/adapter.js';
import type {Transaction} from '../client/database.js';
import {encodeText} from '../client/text.js';
import {type KnownMetric, type PostgresCatalogState, readCatalog} from './catalog.js';

/** Of the declarations of a batch, those that say something new. Throws `bad_request` for one that contradicts another. */
export function newDeclarations(
  definitions: readonly MetricDefinition[],
  catalog: PostgresCatalogState,
): readonly MetricDefinition[] {
  const latest = new Map<string, MetricDefinition>();
  for (const definition of definitions) {
    const standing = latest.get(definition.name) ?? catalog.byName.get(definition.name)?.definition;
    const conflict = standing && conflictBetween(standing, definition);
    if (conflict !== undefined) throw new GatewayError('bad_request', conflict);
    latest.set(definition.name, definition);
  }
  return [...latest.values()].filter(definition => {
    const known = catalog.byName.get(definition.name);
    return known === undefined || !isSameDeclaration(known.definition, definition);
  });
}

/** Writes the declarations that say something new, and gives the catalog that holds after them. */
export async function declare(
  transaction: Transaction,
  definitions: readonly MetricDefinition[],
  catalog: PostgresCatalogState,
): Promise<PostgresCatalogState> {
  const changed = newDeclarations(definitions, catalog);
  if (changed.length === 0) return catalog;
  for (const definition of changed) await store(transaction, definition, catalog.byName.get(definition.name));
  await transaction.query('UPDATE store SET catalog_version = catalog_version + 1');
  return readCatalog(transaction.query);
}

/** Declares the metrics of an exported page, with the rollups that they have had. */
export async function adopt(
  transaction: Transaction,
  histories: readonly MetricHistory[],
  catalog: PostgresCatalogState,
): Promise<PostgresCatalogState> {
  const definitions = histories.map(({definition}) => definition);
  const declared = await declare(transaction, definitions, catalog);
  let isChanged = false;
  for (const {definition, rollups} of histories) {
    const own = declared.byName.get(definition.name);
    const adopted = own === undefined ? undefined : adoptedHistory(own.rollups, rollups);
    if (own === undefined || adopted === undefined || adopted === own.rollups) continue;
    await transaction.query('UPDATE metrics SET rollups = $2 WHERE id = $1', [own.id, JSON.stringify(adopted)]);
    isChanged = true;
  }
  if (!isChanged) return declared;
  await transaction.query('UPDATE store SET catalog_version = catalog_version + 1');
  return readCatalog(transaction.query);
}

async function store(transaction: Transaction, definition: MetricDefinition, known?: KnownMetric): Promise<void> {
  const {name, scope, kind, type, help, unit, rollup, valueLabels} = definition;
  let rollups = known?.rollups ?? [{from: 0, rollup}];
  if (known !== undefined && known.definition.rollup !== rollup) {
    rollups = withRollup(rollups, rollup, await newestHour(transaction, known.id));
  }
  const texts = [type, help, unit].map(encodeText);
  await transaction.query(
    `INSERT INTO metrics (name, scope, kind, type, help, unit, rollup, value_labels, rollups)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (name) DO UPDATE SET type = excluded.type, help = excluded.help, unit = excluded.unit,
       rollup = excluded.rollup, rollups = excluded.rollups`,
    [name, scope, kind, ...texts, rollup, valueLabels, JSON.stringify(rollups)],
  );
}

/** The newest hour that has values of a metric; of hours that have expired, the days still tell the last. */
async function newestHour(transaction: Transaction, metric: number): Promise<number | undefined> {
  const [[hour = null] = []] = await transaction.query<[number | null]>(
    `SELECT greatest(max(h.bucket), max(d.hour)) FROM series s
     LEFT JOIN LATERAL (SELECT bucket FROM hours WHERE series = s.id ORDER BY bucket DESC LIMIT 1) h ON true
     LEFT JOIN LATERAL (SELECT floor(latest_minute / 60.0)::int AS hour FROM days WHERE series = s.id ORDER BY bucket DESC LIMIT 1) d
       ON h.bucket IS NULL
     WHERE s.metric = $1`,
    [metric],
  );
  return hour ?? undefined;
}
