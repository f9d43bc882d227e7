import type {MetadataReader, MetricDefinition, SeenWindow} from '../../../core/api/plugin.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {TextReply} from './respond.js';

/** Characters of all bodies, keys and targets, and of one. */
const CAPACITY = 8 * 2 ** 20;
const LARGEST = 2 ** 20;

/** What a list depends on. */
export interface ListSource {
  /** The same for requests that have the same answer. */
  readonly key: string;
  /** Of `KeptLists`, asked for before anything was read. */
  readonly version: number | undefined;
  readonly catalog: readonly MetricDefinition[];
  /** By which the entities were seen that it lists, where it asks for that. */
  readonly seen?: SeenWindow | undefined;
  /** The target of a request that has all its parameters in it. */
  readonly target?: string | undefined;
  /** Unix seconds at which the target begins to ask for another list; never unless given. */
  readonly until?: number;
}

interface Kept extends ListSource {
  readonly reply: TextReply;
  readonly size: number;
}

/**
 * Answers that list names, kept for as long as the catalog and the entities are those that they were made of. The least
 * recently used goes first. Where the reader cannot tell whether its entities have changed, nothing is kept.
 */
export class KeptLists {
  readonly #metadata: MetadataReader;
  readonly #kept = new Map<string, Kept>();
  /** By the target that asked for it last. */
  readonly #byTarget = new Map<string, Kept>();
  #size = 0;

  constructor(metadata: MetadataReader) {
    this.#metadata = metadata;
  }

  /** Of what is listed at this moment; undefined where the reader cannot tell. */
  version(seen?: SeenWindow): number | undefined {
    return this.#metadata.version?.(seen);
  }

  /** The answer to a target, where it is the one that the target had last: nothing of the request has to be read for it. */
  ready(target: string): TextReply | undefined {
    const known = this.#byTarget.get(target);
    if (known === undefined || known.version !== this.version(known.seen)) return undefined;
    if (known.until !== undefined && Date.now() >= known.until * MS_PER_SECOND) return undefined;
    return this.#used(known);
  }

  async answer(source: ListSource, make: () => Promise<TextReply>): Promise<TextReply> {
    const {key, version, catalog, target} = source;
    if (version === undefined) return make();
    const known = this.#kept.get(key);
    if (known?.version === version && known.catalog === catalog) {
      if (target === known.target) return this.#used(known);
      this.#keep(source, known.reply);
      return known.reply;
    }
    // The version is that of before: of what changes meanwhile, the answer may or may not have heard.
    const reply = await make();
    this.#keep(source, reply);
    return reply;
  }

  #used(list: Kept): TextReply {
    this.#kept.delete(list.key);
    this.#kept.set(list.key, list);
    return list.reply;
  }

  #keep(source: ListSource, reply: TextReply): void {
    const {key, target = ''} = source;
    this.#forget(key);
    const list = {...source, reply, size: key.length + target.length + reply.body.length};
    if (list.size > LARGEST) return;
    this.#kept.set(key, list);
    if (target !== '') this.#byTarget.set(target, list);
    this.#size += list.size;
    while (this.#size > CAPACITY) this.#forget(this.#kept.keys().next().value as string);
  }

  #forget(key: string): void {
    const list = this.#kept.get(key);
    if (list === undefined) return;
    this.#size -= list.size;
    this.#kept.delete(key);
    if (list.target !== undefined && this.#byTarget.get(list.target) === list) this.#byTarget.delete(list.target);
  }
}
