import type {TraceModel} from '../../../core/toolkit/traces/model.js';

/** A model of traces, and how this adapter writes its fragments down. */
export interface ClickHouseTraceModel<Fragment, Trace> extends TraceModel<Fragment, Trace> {
  encode(fragment: Fragment): string;
  decode(body: string): Fragment;
  /**
   * A fragment with the root of a trace alone, where that is among the spans that start first; undefined where these do not
   * tell. `first`: the fragments that have them.
   */
  rootOf(first: readonly Fragment[]): Fragment | undefined;
}
