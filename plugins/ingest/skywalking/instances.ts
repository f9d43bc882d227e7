import type {Call, MetricBatch, MetricWriter} from '../../../core/api/plugin.js';
import {MS_PER_MINUTE, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {ContentBudget} from '../../../core/toolkit/traces/content-budget.js';
import {RecordObject} from '../formats/json/record-object.js';
import type {Fields} from '../formats/refusal.js';

/** So many instances are remembered as seen in a minute; beyond these one is written again. */
const MOST_REMEMBERED = 100_000;

const NO_SAMPLES = {series: [], index: new Uint32Array(), time: new Float64Array(), value: new Float64Array()};

/**
 * Instances that say that they are there. Each is written as seen in that minute, which makes it and its service known to
 * metric queries; their properties (language, host, process) have no place in the storage.
 */
export class Instances {
  readonly #writer: MetricWriter | undefined;
  #minute = 0;
  #seen = new Set<string>();

  /** Without a writer they are heard and forgotten. */
  constructor(writer: MetricWriter | undefined) {
    this.#writer = writer;
  }

  /** Of the properties of an instance or its sign of life. Rejects with `bad_request` when it has no name. */
  async observe(message: Fields, call: Call): Promise<void> {
    const record = new RecordObject(message, new ContentBudget(0));
    const layer = record.name('layer') || 'GENERAL';
    const service = record.requiredName('service');
    const serviceInstance = record.requiredName('serviceInstance');
    if (this.#writer === undefined) return;
    const minute = Math.floor(Date.now() / MS_PER_MINUTE);
    if (minute !== this.#minute || this.#seen.size >= MOST_REMEMBERED) this.#seen = new Set();
    this.#minute = minute;
    const key = JSON.stringify([layer, service, serviceInstance]);
    if (this.#seen.has(key)) return;
    const entity = {layer, service, serviceInstance};
    const sighting = {scope: 'ServiceInstance', entity, time: minute * SECONDS_PER_MINUTE} as const;
    const batch: MetricBatch = {metrics: [], sightings: [sighting], samples: NO_SAMPLES, records: []};
    await this.#writer.write(batch, call);
    this.#seen.add(key);
  }
}
