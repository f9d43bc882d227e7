import {useMemo, useState} from 'preact/hooks';
import {coarse, count, counted, short, time, type Zone} from '../base/format.js';
import {gridOf, notFinite, type PlotSeries, stacked} from '../base/series.js';
import {seriesColour} from '../parts/colours.js';
import {Note} from '../parts/notes.js';
import {Plot} from '../parts/plot.js';
import {coloursOf} from './names.js';

interface FigureProps {
  readonly series: readonly PlotSeries[];
  readonly zone: Zone;
  readonly from: number;
  readonly to: number;
  readonly isStacked: boolean;
  /** The one series that is shown; empty for all. */
  readonly only: string;
  readonly onOnly: (name: string) => void;
  readonly onSelect: (from: number, to: number) => void;
}

/** What the expressions were over the range, and which line is which. */
export function PlotFigure({series, zone, from, to, isStacked, only, onOnly, onSelect}: FigureProps) {
  const [index, setIndex] = useState<number>();
  const isolated = series.some(({name}) => name === only);
  const colours = useMemo(() => coloursOf(series), [series]);
  const shown = useMemo(
    () => series.map((each, i) => ({each, i})).filter(({each}) => !isolated || each.name === only),
    [series, only, isolated],
  );
  const grid = useMemo(() => gridOf(shown.map(({each}) => each)), [shown]);
  const lines = useMemo(() => {
    const stacks = isStacked ? stacked(grid.values, at => shown[at]?.each.isOlder) : grid.values;
    return shown.map(({each, i}, at) => ({
      values: stacks[at] ?? [],
      colour: colours[i] ?? 0,
      isDashed: each.isOlder,
      isFilled: isStacked && !each.isOlder,
    }));
  }, [grid, shown, isStacked, colours]);
  const missing = useMemo(() => notFinite(shown.map(({each}) => each)), [shown]);
  const at = index === undefined ? undefined : grid.times[index];

  return (
    <figure class="panel" aria-label="Plot">
      <div class="head">
        <h2>Plot</h2>
        <span class="quiet">
          {count(series.length)} series
          {grid.times.length > 0 && `, a point every ${coarse(grid.step)}`}
        </span>
      </div>
      <div class="body stack">
        {grid.times.length === 0 ? (
          <p class="quiet empty">
            No values between {time(from * 1000, zone)} and {time(to * 1000, zone)}.
          </p>
        ) : (
          <Plot
            times={grid.times}
            lines={lines}
            height={320}
            zone={zone}
            from={from}
            to={to}
            onPoint={setIndex}
            onSelect={(begin, end) => onSelect(...widened(begin, end, from, to))}
          />
        )}
        {missing > 0 && (
          <Note>
            {counted(missing, 'value')} {missing === 1 ? 'is' : 'are'} not finite and not drawn.
          </Note>
        )}
        <p class="quiet at" aria-hidden="true">
          {at === undefined ? '\u00a0' : time(at * 1000, zone)}
        </p>
        <ul class="legend" aria-label="Legend">
          {series.map((each, i) => (
            <li key={each.name}>
              <LegendItem
                series={each}
                colour={colours[i] ?? 0}
                isOff={isolated && each.name !== only}
                value={valueAt(grid.values, shown, i, index)}
                onPick={() => onOnly(each.name === only ? '' : each.name)}
              />
            </li>
          ))}
        </ul>
      </div>
    </figure>
  );
}

/** Seconds: values are of minutes, and five of them make a line with a form. */
const NARROWEST = 300;

/** A range that somebody has drawn, at least so wide that values are in it, and within what is shown. */
function widened(begin: number, end: number, first: number, last: number): [from: number, to: number] {
  const width = Math.round(Math.max(end - begin, Math.min(NARROWEST, last - first)));
  const to = Math.round(Math.min(last, Math.max(first + width, (begin + end + width) / 2)));
  return [to - width, to];
}

interface ItemProps {
  readonly series: PlotSeries;
  readonly colour: number;
  readonly isOff: boolean;
  readonly value: number | undefined;
  readonly onPick: () => void;
}

function LegendItem({series: {name, isOlder}, colour, isOff, value, onPick}: ItemProps) {
  return (
    <button
      type="button"
      class={isOff ? 'off' : ''}
      aria-pressed={!isOff}
      onClick={onPick}
      title="Show this one alone, or all again"
    >
      <svg width="14" height="10" aria-hidden="true">
        <path
          d="M0 5h14"
          stroke={seriesColour(colour)}
          stroke-width="3"
          stroke-dasharray={isOlder ? '4 3' : undefined}
        />
      </svg>
      <bdi class="mono">{name}</bdi>
      {value !== undefined && <span class="value">{short(value)}</span>}
    </button>
  );
}

function valueAt(
  values: readonly (readonly (number | null)[])[],
  shown: readonly {readonly i: number}[],
  series: number,
  index: number | undefined,
): number | undefined {
  if (index === undefined) return undefined;
  const at = shown.findIndex(({i}) => i === series);
  return values[at]?.[index] ?? undefined;
}
