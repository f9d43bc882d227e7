import type {PlotSeries} from '../base/series.js';

const YESTERDAY = ' (yesterday)';

/** Two expressions may give the same series: the second has the number, and so has its day before. */
export function uniquely(series: readonly PlotSeries[]): readonly PlotSeries[] {
  const seen = new Map<string, number>();
  return series.map(each => {
    const day = each.isOlder ? YESTERDAY : '';
    const times = (seen.get(each.name + day) ?? 0) + 1;
    seen.set(each.name + day, times);
    return {...each, name: (times === 1 ? each.name : `${each.name} (${times})`) + day};
  });
}

/** A series and its own day before have one colour. */
export function coloursOf(series: readonly PlotSeries[]): readonly number[] {
  const known = new Map<string, number>();
  return series.map(({name, isOlder}) => {
    const own = isOlder ? name.slice(0, -YESTERDAY.length) : name;
    const colour = known.get(own) ?? known.size;
    known.set(own, colour);
    return colour;
  });
}
