import type {Call} from '../api/call.js';
import type {CapabilityName, Readers} from '../api/capabilities.js';
import type {ExportPage, ExportRequest, MetricExport} from '../api/export.js';
import type {TakeItem} from './verify/item.js';

/** How many there are, by what they are called: `{samples: 3, records: 1}`. */
export type CopyCounts = Readonly<Record<string, number>>;

/** A page of an export, which knows how it is written and counted. */
export interface CopyPage {
  readonly resume: string;
  readonly counts: CopyCounts;
  /** Samples, or spans: what a rate counts. */
  readonly units: number;
  /** How far back in time the export has come with it, in Unix seconds; undefined where it does not tell. */
  readonly position: number | undefined;
  /** The first and the last minute, in Unix seconds, in which the entities of the page were seen. */
  readonly seen: readonly [first: number, last: number] | undefined;
  write(to: Readers, call: Call): Promise<void>;
  /** Gives everything that is compared by itself. */
  visit(take: TakeItem): void;
  /** Where there are hours and days, which are compared as storages answer them. */
  readonly kept: MetricExport | undefined;
}

/** A kind of data that a storage holds, and that is copied by itself. */
export interface CopyKind {
  /** As `--only` names it. */
  readonly name: string;
  /** In messages. */
  readonly title: string;
  /** What the two storages need to copy it. */
  readonly exports: CapabilityName;
  readonly writes: CapabilityName;
  /** A storage without either this or the export holds nothing of the kind. */
  readonly reads: CapabilityName;
  /** `from` has the export. */
  pages(from: Readers, request: ExportRequest, call: Call): AsyncGenerator<CopyPage>;
  /** Whether `from`, which has `reads`, holds anything of the kind. */
  isHeld(from: Readers, call: Call): Promise<boolean>;
}

interface Exporter<Content> {
  pages(request: ExportRequest, call: Call): AsyncIterable<ExportPage<Content>>;
}

interface Writer<Content> {
  write(content: Content, call: Call): Promise<void>;
}

/** What a kind is made of. `exporter` and `writer` are asked of storages that have them. */
export interface KindParts<Content> extends Omit<CopyKind, 'pages'> {
  readonly exporter: (from: Readers) => Exporter<Content> | undefined;
  readonly writer: (to: Readers) => Writer<Content> | undefined;
  readonly counts: (content: Content) => CopyCounts;
  readonly units: (content: Content) => number;
  readonly position: (content: Content) => number | undefined;
  readonly seen?: (content: Content) => CopyPage['seen'];
  readonly visit: (content: Content, take: TakeItem) => void;
  readonly kept?: (content: Content) => MetricExport | undefined;
}

export function kindOf<Content>(parts: KindParts<Content>): CopyKind {
  const {exporter, writer, counts, units, position, seen, visit, kept} = parts;
  async function* pages(from: Readers, request: ExportRequest, call: Call): AsyncGenerator<CopyPage> {
    for await (const {content, resume} of exporter(from)?.pages(request, call) ?? []) {
      yield {
        resume,
        counts: counts(content),
        units: units(content),
        position: position(content),
        seen: seen?.(content),
        write: async (to, by) => writer(to)?.write(content, by),
        visit: take => visit(content, take),
        kept: kept?.(content),
      };
    }
  }
  return {...parts, pages};
}
