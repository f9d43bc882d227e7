import type {
  Call,
  EndpointsRequest,
  InstancesRequest,
  MetadataReader,
  NamePages,
  ServicesRequest,
} from '../../../core/api/adapter.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {ServiceChild, Traffic} from './traffic.js';

const PAGE = 1000;

export class BanyanDBMetadataReader implements MetadataReader {
  readonly #traffic: Traffic;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  async layers({signal}: Call): Promise<readonly string[]> {
    return (await this.#traffic.services(signal)).layers();
  }

  async *services({layer}: ServicesRequest, {signal}: Call): NamePages {
    yield* pages((await this.#traffic.services(signal)).inLayer(layer));
  }

  async *instances({layer, service, seen}: InstancesRequest, {signal}: Call): NamePages {
    const all = await this.#traffic.children('instance', layer, service, signal);
    yield* pages(all.filter(child => wasSeen(child, seen)).map(({name}) => name));
  }

  async *endpoints({layer, service, seen, keyword = ''}: EndpointsRequest, {signal}: Call): NamePages {
    const all = await this.#traffic.children('endpoint', layer, service, signal);
    yield* pages(all.filter(child => wasSeen(child, seen) && child.name.includes(keyword)).map(({name}) => name));
  }
}

/** By minutes. Of whom it is not known when they were seen last they may have been seen until now. */
function wasSeen({firstSeen, lastSeen}: ServiceChild, seen: InstancesRequest['seen']): boolean {
  if (seen === undefined) return true;
  const isBefore = lastSeen !== undefined && lastSeen < Math.floor(seen.from / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE;
  return !isBefore && firstSeen <= seen.to;
}

function* pages(names: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < names.length; i += PAGE) yield names.slice(i, i + PAGE);
}
