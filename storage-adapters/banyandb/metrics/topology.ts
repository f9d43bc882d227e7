import {
  type BucketWindow,
  type Call,
  compareNameLists,
  type Entity,
  namesOf,
  type RelationScope,
  type RelationsRequest,
  type TopologyReader,
} from '../../../core/api/adapter.js';
import type {Services} from '../metadata/services.js';
import {slotOf} from './bucket-times.js';
import {parseDataTable} from './data-table.js';
import {relationsOf} from './entities.js';
import {meansOf} from './means.js';
import {type MeasuredSource, schemaOf} from './metric-source.js';
import type {MetricReaderOptions} from './reader.js';
import {RowBudget, scanRows} from './row-scan.js';

/**
 * Relations are in the ids of the rows of their measures, and nowhere else. A service has one id in all of its layers, so that a
 * relation is listed for each pair of layers that its ends are in, as `values` answers for each.
 */
export class BanyanDBTopologyReader implements TopologyReader {
  readonly #options: MetricReaderOptions;

  constructor(options: MetricReaderOptions) {
    this.#options = options;
  }

  relations({scope, window, of, limit}: RelationsRequest, {signal}: Call): Promise<readonly Entity[]> {
    const {catalog, traffic} = this.#options;
    return catalog.using(signal, async ({sources}) => {
      const services = await traffic.services(signal);
      const ids = new Set<string>();
      for (const source of sources.values()) {
        if (source.of !== 'measure' || source.definition.scope !== scope) continue;
        for (const id of await this.#idsWithValues(source, window, signal)) ids.add(id);
      }
      const found = [...ids].flatMap(id => relationsIn(scope, id, services, of));
      found.sort((a, b) => compareNameLists(a.names, b.names));
      return found.slice(0, limit).map(({entity}) => entity);
    });
  }

  async #idsWithValues(source: MeasuredSource, window: BucketWindow, signal: AbortSignal): Promise<Iterable<string>> {
    const {measures, zone, maxEntities, maxRows} = this.#options;
    const {field, definition} = source;
    const schema = schemaOf(source, window.step);
    const query = {schema, conditions: [], tags: ['entity_id'], field};
    if (definition.kind === 'common') {
      const isInteger = schema.fields.get(field) === 'FIELD_TYPE_INT';
      return (await meansOf(measures, {query, window, zone, maxEntities, maxRows}, isInteger, signal)).keys();
    }
    const ids = new Set<string>();
    for await (const rows of scanRows(measures, query, window, zone, new RowBudget(maxRows), signal)) {
      for (const {time, tags, value} of rows) {
        const hasValues = typeof value === 'string' && parseDataTable(value).length > 0;
        if (hasValues && slotOf(time, window, zone) !== undefined) ids.add(tags.get('entity_id') ?? '');
      }
    }
    return ids;
  }
}

function relationsIn(scope: RelationScope, id: string, services: Services, of: RelationsRequest['of']) {
  const wanted = ({layer, service, destLayer, destService}: Entity): boolean =>
    of === undefined ||
    (layer === of.layer && service === of.service) ||
    (destLayer === of.layer && destService === of.service);
  return relationsOf(scope, id, services)
    .filter(wanted)
    .map(entity => ({entity, names: namesOf(scope, entity)}));
}
