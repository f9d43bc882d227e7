import type {Transaction} from '../client/database.js';

export interface StoreRow {
  /**
   * Changes when what was remembered may have become wrong: with another database, another start of the server (which may
   * be another server, or one that was set back), and when partitions were dropped.
   */
  readonly epoch: string;
  /** The state of the metric catalog. */
  readonly token: string;
  /** Minutes before this one have expired. */
  readonly minuteCutoff: number;
}

/** Of `store s`. A standby that was promoted may lack commits, and gives their numbers to others: so it is told by its start. */
export const CATALOG_TOKEN = "concat_ws(':', s.id, s.catalog_version, extract(epoch FROM pg_postmaster_start_time()))";

export async function readStore(transaction: Transaction): Promise<StoreRow> {
  const [[epoch = '', token = '', cutoff = null] = []] = await transaction.query<[string, string, number | null]>(
    `SELECT concat_ws(' ', id, layout_version, extract(epoch FROM pg_postmaster_start_time())),
            ${CATALOG_TOKEN}, minute_border
     FROM store s`,
  );
  return {epoch, token, minuteCutoff: cutoff ?? Number.NEGATIVE_INFINITY};
}
