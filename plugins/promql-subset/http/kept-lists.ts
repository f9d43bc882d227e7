import type {MetadataReader, MetricDefinition, SeenWindow} from '../../../core/api/plugin.js';
import type {TextReply} from './respond.js';

/** Characters of all bodies and keys, and of one. */
const CAPACITY = 8 * 2 ** 20;
const LARGEST = 2 ** 20;

/** What a list depends on. */
export interface ListSource {
  /** The same for requests that have the same answer. */
  readonly key: string;
  readonly catalog: readonly MetricDefinition[];
  /** By which the entities were seen that it lists, where it asks for that. */
  readonly seen?: SeenWindow | undefined;
}

interface Kept {
  readonly catalog: readonly MetricDefinition[];
  readonly version: number;
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
  #size = 0;

  constructor(metadata: MetadataReader) {
    this.#metadata = metadata;
  }

  async answer({key, catalog, seen}: ListSource, make: () => Promise<TextReply>): Promise<TextReply> {
    // Before it is made: of what changes meanwhile, the answer may or may not have heard.
    const version = this.#metadata.version?.(seen);
    if (version === undefined) return make();
    const known = this.#kept.get(key);
    if (known?.version === version && known.catalog === catalog) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.reply;
    }
    const reply = await make();
    this.#keep(key, {catalog, version, reply, size: key.length + reply.body.length});
    return reply;
  }

  #keep(key: string, list: Kept): void {
    this.#forget(key);
    if (list.size > LARGEST) return;
    this.#kept.set(key, list);
    this.#size += list.size;
    while (this.#size > CAPACITY) this.#forget(this.#kept.keys().next().value as string);
  }

  #forget(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
