import type {SpanTree, TreeSpan} from './model.js';
import type {ShownTime} from './window.js';

/** When an event was, in microseconds from the begin of its trace; none is before it. */
export function eventTime(nanoseconds: string | undefined, {begin}: SpanTree): number {
  return Math.max(0, Number(BigInt(nanoseconds ?? '0') / 1000n) - begin * 1000);
}

/** An event of a span in its row, or several that stand closer together than can be told apart. */
export interface EventMark {
  readonly at: number;
  readonly names: readonly string[];
}

/** The events of a span within a window, by their times. Those closer than `least` to one before them share its mark. */
export function marksOf({raw}: TreeSpan, trace: SpanTree, window: ShownTime, least: number): readonly EventMark[] {
  const {events = []} = raw;
  const within = events
    .map(({name, timeUnixNano}) => ({at: eventTime(timeUnixNano, trace), name: name || 'event'}))
    .filter(({at}) => at >= window.from && at <= window.to)
    .sort((a, b) => a.at - b.at);
  const marks: {at: number; names: string[]}[] = [];
  for (const {at, name} of within) {
    const before = marks.at(-1);
    if (before !== undefined && at - before.at < least) before.names.push(name);
    else marks.push({at, names: [name]});
  }
  return marks;
}
