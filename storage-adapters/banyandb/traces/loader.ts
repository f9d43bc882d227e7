import type {BanyanDBConnection} from '../client/connection.js';
import {all, EVER, equals, isOneOf, type MillisRange, timeRange} from '../client/criteria.js';
import {QueryTrace, type TraceTrace} from '../proto/methods.js';
import {type BanyanDBTraceModel, type Pushdown, TRACE_ID} from './model.js';

/** Asks for traces. Each comes with all of its rows of the days that the time asked for touches. */
export class BanyanDBTraceLoader {
  readonly #connection: BanyanDBConnection;
  readonly #model: BanyanDBTraceModel<unknown>;
  readonly #group: string;
  readonly #stages: readonly string[];

  constructor(
    connection: BanyanDBConnection,
    model: BanyanDBTraceModel<unknown>,
    group: string,
    stages: readonly string[],
  ) {
    this.#connection = connection;
    this.#model = model;
    this.#group = group;
    this.#stages = stages;
  }

  /**
   * Traces with a row in a time that has all conditions. Neither sorted nor the newest ones where there are more than the
   * limit: an answer that reaches it says nothing but that.
   */
  async between(
    span: MillisRange,
    {conditions, tags}: Pushdown,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly TraceTrace[]> {
    const {traces} = await this.#connection.call(
      QueryTrace,
      {
        ...this.#base(),
        time_range: timeRange(span),
        criteria: all(conditions),
        order_by: {index_rule_name: this.#model.order, sort: 'SORT_DESC'},
        tag_projection: tags,
        limit,
      },
      signal,
    );
    return traces;
  }

  /** All rows of traces, however old. */
  async withIds(ids: readonly string[], signal: AbortSignal): Promise<readonly TraceTrace[]> {
    const [id = ''] = ids;
    const {traces} = await this.#connection.call(
      QueryTrace,
      {
        ...this.#base(),
        time_range: timeRange(EVER),
        criteria: ids.length === 1 ? equals(TRACE_ID, id) : isOneOf(TRACE_ID, ids),
        tag_projection: [TRACE_ID],
        limit: ids.length + 1,
      },
      signal,
    );
    return traces;
  }

  #base(): {readonly groups: readonly string[]; readonly name: string; readonly stages: readonly string[]} {
    return {groups: [this.#group], name: this.#model.schema, stages: this.#stages};
  }
}
