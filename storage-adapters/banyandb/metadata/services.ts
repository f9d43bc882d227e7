import {compareNames} from '../../../core/api/adapter.js';
import {serviceName} from '../schema/entity-ids.js';

export interface ServiceRow {
  readonly serviceId: string;
  readonly name: string | undefined;
  readonly layer: string;
}

/** All services of a deployment at one moment, and the layers they are in. */
export class Services {
  readonly #layers = new Map<string, Set<string>>();
  readonly #names = new Map<string, string>();

  /** A service has a row for each of its layers. */
  constructor(rows: readonly ServiceRow[]) {
    for (const {serviceId, name, layer} of rows) {
      const ids = this.#layers.get(layer) ?? new Set();
      this.#layers.set(layer, ids.add(serviceId));
      this.#names.set(serviceId, name ?? serviceName(serviceId));
    }
  }

  layers(): readonly string[] {
    return [...this.#layers.keys()].sort(compareNames);
  }

  /** Names, in order. */
  inLayer(layer: string): readonly string[] {
    const names = [...(this.#layers.get(layer) ?? [])].map(id => this.nameOf(id));
    return [...new Set(names)].sort(compareNames);
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
