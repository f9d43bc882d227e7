import {compareNames} from '../../../core/api/adapter.js';
import {serviceName} from '../schema/entity-ids.js';

export interface ServiceRow {
  readonly serviceId: string;
  readonly name: string | undefined;
  readonly layer: string;
  /** Unix seconds. */
  readonly firstSeen: number;
}

/** All services of a deployment at one moment, and the layers they are in. */
export class Services {
  /** By layer and id, when it was seen first. */
  readonly #layers = new Map<string, Map<string, number>>();
  readonly #names = new Map<string, string>();

  /** A service has a row for each of its layers. */
  constructor(rows: readonly ServiceRow[]) {
    for (const {serviceId, name, layer, firstSeen} of rows) {
      const ids = this.#layers.get(layer) ?? new Map<string, number>();
      // Two nodes of a cluster may have the same row with other times.
      this.#layers.set(layer, ids.set(serviceId, Math.min(firstSeen, ids.get(serviceId) ?? firstSeen)));
      this.#names.set(serviceId, name ?? serviceName(serviceId));
    }
  }

  layers(): readonly string[] {
    return [...this.#layers.keys()].sort(compareNames);
  }

  /** Names, in order. */
  inLayer(layer: string): readonly string[] {
    const names = [...(this.#layers.get(layer)?.keys() ?? [])].map(id => this.nameOf(id));
    return [...new Set(names)].sort(compareNames);
  }

  /** In order. */
  ids(): readonly string[] {
    return [...this.#names.keys()].sort(compareNames);
  }

  /** Unix seconds; when it was seen last the database does not say. */
  firstSeen(layer: string, serviceId: string): number | undefined {
    return this.#layers.get(layer)?.get(serviceId);
  }

  isIn(layer: string, serviceId: string): boolean {
    return this.#layers.get(layer)?.has(serviceId) ?? false;
  }

  layersOf(serviceId: string): readonly string[] {
    return [...this.#layers].filter(([, ids]) => ids.has(serviceId)).map(([layer]) => layer);
  }

  /** The name as it was given; the id has another one for a blank name. */
  nameOf(serviceId: string): string {
    return this.#names.get(serviceId) ?? serviceName(serviceId);
  }
}
