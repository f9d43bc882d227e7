import type {TraceModel} from '../../../core/toolkit/traces/model.js';

/** A model of traces, and how this adapter writes its fragments down. */
export interface ClickHouseTraceModel<Fragment, Trace, Time = number> extends TraceModel<Fragment, Trace, Time> {
  encode(fragment: Fragment): string | Uint8Array;
  decode(body: Buffer): Fragment;
  /** The stored values of an attribute, of which one is there where a condition on the text holds. */
  valuesOf(text: string): readonly string[];
  /** Whether its spans have a resource, and durations a fraction: what the table of its spans has room for. */
  readonly hasResources: boolean;
}

/** Of which only the fragments matter. */
export type ClickHouseFragmentModel<Fragment> = ClickHouseTraceModel<Fragment, unknown, unknown>;
