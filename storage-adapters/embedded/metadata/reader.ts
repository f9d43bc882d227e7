import type {
  Call,
  EndpointsRequest,
  InstancesRequest,
  MetadataReader,
  NameHint,
  NamePages,
  SeenWindow,
  ServicesRequest,
} from '../../../core/api/adapter.js';
import {SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {Entities, EntityRecord} from '../metrics/entities.js';
import type {Metrics} from '../metrics/metric-records.js';
import {byName, type NameList} from '../metrics/name-list.js';

const PAGE = 1000;

/** Lists entities from memory. */
export class EmbeddedMetadataReader implements MetadataReader {
  readonly #entities: Entities;
  readonly #metrics: Pick<Metrics, 'version'>;

  constructor(entities: Entities, metrics: Pick<Metrics, 'version'>) {
    this.#entities = entities;
    this.#metrics = metrics;
  }

  async layers(): Promise<readonly string[]> {
    return this.#entities.layers();
  }

  services({layer, name}: ServicesRequest, call: Call): NamePages {
    return pages(this.#entities.services(layer), name, () => true, call);
  }

  instances({layer, service, seen, name}: InstancesRequest, call: Call): NamePages {
    return pages(this.#entities.members(layer, service, 'ServiceInstance'), name, seenIn(seen), call);
  }

  endpoints({layer, service, seen, name, keyword = ''}: EndpointsRequest, call: Call): NamePages {
    const isSeen = seenIn(seen);
    const passes = (record: EntityRecord) => record.name.includes(keyword) && isSeen(record);
    return pages(this.#entities.members(layer, service, 'Endpoint'), name, passes, call);
  }

  version(seen?: SeenWindow): number {
    const isWholeHour = seen === undefined || seen.from % SECONDS_PER_HOUR === 0;
    // Neither of the two ever becomes less, so that their sum tells of both.
    return this.#metrics.version + (isWholeHour ? this.#entities.versionByHours : this.#entities.version);
  }
}

function seenIn(seen: InstancesRequest['seen']): (record: EntityRecord) => boolean {
  if (seen === undefined) return () => true;
  const from = Math.floor(seen.from / SECONDS_PER_MINUTE);
  const to = Math.floor(seen.to / SECONDS_PER_MINUTE);
  return ({first, last}) => last >= from && first <= to;
}

async function* pages(
  list: NameList<EntityRecord> | undefined,
  hint: NameHint | undefined,
  passes: (record: EntityRecord) => boolean,
  call: Call,
): AsyncGenerator<readonly string[]> {
  if (list === undefined) return;
  const records = hinted(list, hint);
  for (let from = 0; from < records.length; from += PAGE) {
    if (from > 0) call.signal.throwIfAborted();
    yield records
      .slice(from, from + PAGE)
      .filter(passes)
      .map(({name}) => name);
  }
}

/** What can pass the hint by name: looked up when it names the names. */
function hinted(list: NameList<EntityRecord>, hint: NameHint = {}): readonly EntityRecord[] {
  const {equals, oneOf} = hint;
  if (equals === undefined && oneOf === undefined) return list.sorted();
  const wanted = new Set(oneOf ?? [equals ?? '']);
  if (equals !== undefined && !wanted.has(equals)) return [];
  const names = equals === undefined ? wanted : [equals];
  return [...names].flatMap(name => list.get(name) ?? []).sort(byName);
}
