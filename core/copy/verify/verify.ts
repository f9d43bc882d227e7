import type {Call} from '../../api/call.js';
import type {Readers} from '../../api/capabilities.js';
import type {ExportRequest} from '../../api/export.js';
import type {CopyKind, CopyPage} from '../kind.js';
import type {TakeItem} from './item.js';
import {ItemTable} from './item-table.js';
import {compareKept} from './kept-values.js';
import {VerifyTally} from './tally.js';

/** Things of the source that are in memory at a time: some hundred megabytes. What is more is compared in several rounds. */
const MOST_ITEMS = 5_000_000;

export interface VerifyOptions {
  readonly from: Readers;
  readonly to: Readers;
  readonly window: Pick<ExportRequest, 'from' | 'to'>;
  /** Told of each page that was read, of either storage. */
  readonly onPage: (kind: CopyKind, page: CopyPage) => void;
  readonly call: Call;
  readonly mostItems?: number;
}

/**
 * Compares what two storages, which have the export of this kind, hold of it. The order of two exports tells nothing, so what the source
 * holds is kept as keys and contents, and what the target holds is looked up: each round a part of all, told by the keys.
 */
export async function verifyKind(kind: CopyKind, options: VerifyOptions): Promise<VerifyTally> {
  const {from, to, window, onPage, call, mostItems = MOST_ITEMS} = options;
  const tally = new VerifyTally();
  let parts = 1;
  const visit = async (storage: Readers, take: TakeItem, also?: (page: CopyPage) => Promise<void>): Promise<void> => {
    for await (const page of kind.pages(storage, window, call)) {
      page.visit(take);
      await also?.(page);
      onPage(kind, page);
    }
  };
  for (let part = 0; part < parts; part++) {
    const table = new ItemTable();
    const isIn = (high: number): boolean => high % parts === part;
    const put: TakeItem = (high, low, content, rule) => {
      if (!isIn(high)) return;
      table.put(high, low, content, rule);
      if (part > 0 || table.size <= mostItems) return;
      parts *= 2;
      table.keep(isIn);
    };
    await visit(from, put, async ({kept}) => {
      if (part === 0 && kept !== undefined) await compareKept(kept, from, to, tally, call);
    });
    await visit(to, (high, low, content, rule) => {
      if (isIn(high) && !table.match(high, low, content, rule)) tally.more++;
    });
    const {equal, missing, differing} = table.counts();
    tally.equal += equal;
    tally.missing += missing;
    tally.differing += differing;
    if (missing + differing === 0 || !tally.wantsExamples) continue;
    // Once more, for their names.
    const told = new Set<string>();
    await visit(from, (high, low, _content, _rule, name) => {
      if (!tally.wantsExamples || !isIn(high)) return;
      const state = table.found(high, low);
      if (state === 'equal' || told.has(`${high} ${low}`)) return;
      told.add(`${high} ${low}`);
      tally.example(state, name);
    });
  }
  return tally;
}
