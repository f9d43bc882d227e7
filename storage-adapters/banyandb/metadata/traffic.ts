import {compareNames, GatewayError} from '../../../core/api/adapter.js';
import {unlessAborted} from '../../../core/toolkit/unless-aborted.js';
import {Cached} from '../client/cached.js';
import {EVER, equals, type RowCondition} from '../client/criteria.js';
import type {BanyanDBMeasures, MeasureRow} from '../client/measures.js';
import type {RowSchema} from '../client/row-schema.js';
import {wholeAnswer} from '../client/whole-answer.js';
import {endsOf, serviceId} from '../schema/entity-ids.js';
import {layerName} from '../schema/layers.js';
import type {RegistryProvider} from '../schema/registry.js';
import type {TimeZone} from '../schema/time-zone.js';
import {Services} from './services.js';

/** An instance or endpoint of one service. Times are Unix seconds. */
export interface ServiceChild {
  readonly name: string;
  readonly firstSeen: number;
  /** Undefined where the OAP has not said. */
  readonly lastSeen: number | undefined;
}

export interface TrafficOptions {
  readonly measures: BanyanDBMeasures;
  readonly schemas: RegistryProvider;
  readonly zone: TimeZone;
  readonly layers: Readonly<Record<string, string>>;
  readonly maxEntities: number;
  /** Milliseconds. */
  readonly maxAge: number;
  /** Aborts when the adapter stops. */
  readonly lifetime: AbortSignal;
}

type ChildKind = 'instance' | 'endpoint';

const FIRST_LIMIT = 10_000;
const SERVICES_REMEMBERED = 200;
/** A service that is not in the list may be new: then the list is read again, if it is older than these milliseconds. */
const AGE_FOR_NEW = 2000;

/** The lists that the OAP keeps of whom data was about. Read whole, for the server sorts no names, and kept for a while. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #services: Cached<Services>;
  readonly #children = new Map<string, Cached<readonly ServiceChild[]>>();

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#services = new Cached(() => this.#readServices(), options.maxAge);
  }

  services(signal: AbortSignal): Promise<Services> {
    return this.#services.get(signal);
  }

  /** The list in which these services are, or the newest one. */
  async servicesWith(wanted: readonly (readonly [string, string])[], signal: AbortSignal): Promise<Services> {
    const services = await this.services(signal);
    if (wanted.every(([layer, name]) => services.isIn(layer, serviceId(layer, name)))) return services;
    return this.#services.get(signal, Math.min(AGE_FOR_NEW, this.#options.maxAge));
  }

  /** In the order of their names. Of a service that is not in the layer there are none. */
  async children(
    kind: ChildKind,
    layer: string,
    service: string,
    signal: AbortSignal,
  ): Promise<readonly ServiceChild[]> {
    const services = await this.servicesWith([[layer, service]], signal);
    const id = serviceId(layer, service);
    if (!services.isIn(layer, id)) return [];
    const key = `${kind} ${id}`;
    const known = this.#children.get(key) ?? new Cached(() => this.#readChildren(kind, id), this.#options.maxAge);
    this.#children.delete(key);
    this.#children.set(key, known);
    if (this.#children.size > SERVICES_REMEMBERED) {
      for (const oldest of this.#children.keys()) {
        this.#children.delete(oldest);
        break;
      }
    }
    return known.get(signal);
  }

  /** Of one service, whatever its layers, as they are now: what goes through all services is not kept. */
  childrenOf(kind: ChildKind, id: string, signal: AbortSignal): Promise<readonly ServiceChild[]> {
    return unlessAborted(this.#readChildren(kind, id), signal);
  }

  async #readServices(): Promise<Services> {
    const tags = ['service_traffic_name', 'service_id', 'layer'];
    const rows = await this.#rows('service_traffic_minute', tags, [], 'services');
    return new Services(
      rows.flatMap(row => {
        const id = row.tags.get('service_id');
        const layer = row.tags.get('layer');
        if (id === undefined || layer === undefined) return [];
        const name = row.tags.get('service_traffic_name');
        return [{serviceId: id, name, layer: layerName(layer, this.#options.layers), firstSeen: row.time}];
      }),
    );
  }

  async #readChildren(kind: ChildKind, id: string): Promise<readonly ServiceChild[]> {
    const tags = ['id', 'service_id', `${kind}_traffic_name`, 'last_ping'];
    const rows = await this.#rows(`${kind}_traffic_minute`, tags, [equals('service_id', id)], `${kind}s of a service`);
    const children = new Map<string, ServiceChild>();
    for (const {time, tags: found} of rows) {
      const childId = found.get('id') ?? '';
      const name = found.get(`${kind}_traffic_name`) ?? endsOf('ServiceInstance', childId)[0]?.child;
      if (name === undefined) continue;
      const lastSeen = this.#options.zone.fromDigits(found.get('last_ping') ?? '');
      const known = children.get(name);
      // Two nodes of a cluster may have the same document with other times.
      children.set(name, {
        name,
        firstSeen: Math.min(time, known?.firstSeen ?? time),
        lastSeen: lastSeen === undefined ? known?.lastSeen : Math.max(lastSeen, known?.lastSeen ?? lastSeen),
      });
    }
    return [...children.values()].sort((a, b) => compareNames(a.name, b.name));
  }

  #rows(
    name: string,
    tags: readonly string[],
    conditions: readonly RowCondition[],
    what: string,
  ): Promise<readonly MeasureRow[]> {
    const {measures, schemas, maxEntities, lifetime} = this.#options;
    return schemas.using(lifetime, ({registry}) => {
      const schema: RowSchema | undefined = registry.metadata.get(name);
      if (schema === undefined) {
        throw new GatewayError(
          'storage_failed',
          `BanyanDB has no measure ${name}: has the OAP of the namespace ever started?`,
        );
      }
      return wholeAnswer(limit => measures.rows({schema, span: EVER, conditions, tags, limit}, lifetime), {
        first: FIRST_LIMIT,
        most: maxEntities,
        option: 'maxEntities',
        what,
      });
    });
  }
}
