import {
  compareNames,
  type EndpointsRequest,
  type Entity,
  entityOf,
  type InstancesRequest,
  type MetadataReader,
  type NamePages,
  type SeenWindow,
  type ServicesRequest,
  type Sighting,
} from '../../../core/api/adapter.js';

type Kind = 'service' | 'instance' | 'endpoint';

const SCOPES = {service: 'Service', instance: 'ServiceInstance', endpoint: 'Endpoint'} as const;

interface Known {
  /** Layer, service, and the name of the instance or endpoint. */
  readonly names: readonly string[];
  first: number;
  last: number;
}

/** The entities that were seen, and when. */
export class OracleMetadata implements MetadataReader {
  readonly #known: Readonly<Record<Kind, Map<string, Known>>> = {
    service: new Map(),
    instance: new Map(),
    endpoint: new Map(),
  };

  /** Makes an entity known with its service, and a relation both its ends. */
  see(entity: Entity, minute: number): void {
    this.#seeEnd(entity.layer, entity.service, entity.serviceInstance, entity.endpoint, minute);
    const {destLayer, destService, destServiceInstance, destEndpoint} = entity;
    if (destLayer === undefined || destService === undefined) return;
    this.#seeEnd(destLayer, destService, destServiceInstance, destEndpoint, minute);
  }

  async layers(): Promise<readonly string[]> {
    const layers = [...this.#known.service.values()].map(({names: [layer = '']}) => layer);
    return [...new Set(layers)].sort(compareNames);
  }

  services({layer}: ServicesRequest): NamePages {
    return pages(this.#list('service', [layer]));
  }

  instances({layer, service, seen}: InstancesRequest): NamePages {
    return pages(this.#list('instance', [layer, service], seen));
  }

  endpoints({layer, service, seen, keyword = ''}: EndpointsRequest): NamePages {
    return pages(this.#list('endpoint', [layer, service], seen).filter(name => name.includes(keyword)));
  }

  /** Each entity in the minutes of its first and its last sight. */
  sightings(): readonly Sighting[] {
    return (['service', 'instance', 'endpoint'] as const).flatMap(kind =>
      [...this.#known[kind].values()].flatMap(({names, first, last}) => {
        const entity = entityOf(SCOPES[kind], names);
        return [first, last].map(time => ({scope: SCOPES[kind], entity, time}));
      }),
    );
  }

  #seeEnd(layer: string, service: string, instance: string | undefined, endpoint: string | undefined, minute: number) {
    this.#know('service', [layer, service], minute);
    if (instance !== undefined) this.#know('instance', [layer, service, instance], minute);
    if (endpoint !== undefined) this.#know('endpoint', [layer, service, endpoint], minute);
  }

  #know(kind: Kind, names: readonly string[], minute: number): void {
    const key = JSON.stringify(names);
    const known = this.#known[kind].get(key) ?? {names, first: minute, last: minute};
    known.first = Math.min(known.first, minute);
    known.last = Math.max(known.last, minute);
    this.#known[kind].set(key, known);
  }

  #list(kind: Kind, parents: readonly string[], seen?: SeenWindow): readonly string[] {
    return [...this.#known[kind].values()]
      .filter(({names}) => parents.every((parent, i) => names[i] === parent))
      .filter(({first, last}) => seen === undefined || (last >= Math.floor(seen.from / 60) * 60 && first <= seen.to))
      .map(({names}) => names.at(-1) ?? '')
      .sort(compareNames);
  }
}

/** Small pages, and empty ones between them: a consumer has to take both. */
async function* pages(names: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let i = 0; i < names.length; i += 3) {
    yield names.slice(i, i + 3);
    yield [];
  }
}
