import type {Call, ExportPage, ExportRequest, TraceExporter} from '../../../core/api/adapter.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {MICROS_PER_SECOND} from '../../../core/toolkit/time.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {ClickHouseClient} from '../client/client.js';
import {Sql, sql} from '../client/sql.js';
import {ClickHouseTraceLoader, type LoadedTrace} from '../traces/loader.js';
import type {ClickHouseFragmentModel} from '../traces/model.js';

const TRACES_PER_PAGE = 500;

/**
 * Goes through the days of fragments from the latest back, and within a day through the ids of traces in their order. A trace
 * of several days comes with each of them, whole: a fragment that is added to it meanwhile must not take it out of sight.
 */
export class ClickHouseTraceExporter<Fragment> implements TraceExporter<Fragment> {
  readonly #client: ClickHouseClient;
  readonly #loader: ClickHouseTraceLoader<Fragment>;
  readonly #name: string;
  readonly #table: Sql;

  constructor(client: ClickHouseClient, model: ClickHouseFragmentModel<Fragment>) {
    this.#client = client;
    this.#loader = new ClickHouseTraceLoader(client, model);
    this.#name = model.name;
    this.#table = new Sql(`${model.name}_units`);
  }

  async *pages(request: ExportRequest, call: Call): AsyncGenerator<ExportPage<readonly Fragment[]>> {
    const {after} = request;
    const place = after === undefined ? undefined : decodeResume(this.#name, after, ['number', 'string']);
    const [begun, beyond] = [Number(place?.[0] ?? Number.POSITIVE_INFINITY), String(place?.[1] ?? '')];
    for (const day of await this.#days(call.signal)) {
      if (day > begun) continue;
      let last = day === begun ? beyond : '';
      for (;;) {
        const ids = await this.#ids(day, last, call.signal);
        if (ids.length === 0) break;
        last = ids.at(-1) ?? last;
        const content = await this.#load(ids, request, call);
        yield {content, resume: encodeResume(this.#name, [day, last])};
      }
    }
  }

  async #load(ids: readonly string[], request: ExportRequest, call: Call): Promise<readonly Fragment[]> {
    const content: Fragment[] = [];
    for (const trace of (await this.#loader.load(ids, call.signal)).values()) {
      await pause(call);
      if (isIn(request, trace)) for (const fragment of trace.fragments()) content.push(fragment);
    }
    return content;
  }

  #days(signal: AbortSignal): Promise<readonly number[]> {
    return this.#client.rows(
      sql`SELECT toUInt8(1), day FROM ${this.#table} GROUP BY day ORDER BY day DESC`,
      row => row.int32(),
      signal,
    );
  }

  #ids(day: number, last: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#client.rows(
      sql`SELECT toUInt8(1), trace_id FROM ${this.#table} WHERE day = ${day} AND trace_id > ${last} GROUP BY trace_id ORDER BY trace_id LIMIT ${TRACES_PER_PAGE}`,
      row => row.string(),
      signal,
    );
  }
}

function isIn({from, to}: ExportRequest, {bounds}: LoadedTrace<unknown>): boolean {
  if (from === undefined && to === undefined) return true;
  if (bounds === undefined) return false;
  const isLate = from === undefined || bounds.start >= from * MICROS_PER_SECOND;
  return isLate && (to === undefined || bounds.start < to * MICROS_PER_SECOND);
}
