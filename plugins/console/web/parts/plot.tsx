import {useEffect, useMemo, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import {short, time, type Zone} from '../base/format.js';
import {resolved, seriesColour, useDark, useWidth} from './colours.js';

export interface Line {
  readonly values: readonly (number | null)[];
  /** Which colour; lines that belong together share one. */
  readonly colour: number;
  readonly isDashed?: boolean;
  /** Filled down to the filled line before it, the first one to zero. */
  readonly isFilled?: boolean;
}

interface PlotProps {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly height: number;
  readonly zone: Zone;
  readonly from?: number;
  readonly to?: number;
  readonly isSmall?: boolean;
  /** The index of the time under the pointer. */
  readonly onPoint?: (index: number | undefined) => void;
  /** Somebody has drawn a range. */
  readonly onSelect?: (from: number, to: number) => void;
}

/** Seconds. */
const AROUND = 300;

/** Lines over time on a canvas. What it shows is told beside it: a canvas has no words. */
export function Plot(props: PlotProps) {
  const {times, lines, height, zone, isSmall = false} = props;
  // A single moment has no width of its own.
  const [only] = times.length === 1 ? times : [];
  const from = props.from ?? (only === undefined ? undefined : only - AROUND);
  const to = props.to ?? (only === undefined ? undefined : only + AROUND);
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const width = useWidth(host);
  const isDark = useDark();
  const handlers = useRef(props);
  handlers.current = props;
  const data = useMemo(
    () => [[...times], ...lines.map(({values}) => [...values])] as unknown as uPlot.AlignedData,
    [times, lines],
  );
  const isKnown = width > 0;

  useEffect(() => {
    if (host.current === null || !isKnown) return undefined;
    const grid = {stroke: resolved('var(--line)'), width: 1};
    const font = `${isSmall ? 11 : 12}px system-ui, sans-serif`;
    const axis = {stroke: resolved('var(--quiet)'), grid, ticks: {...grid, size: 4}, font, gap: 4};
    // The first series is the time.
    const filled = lines.flatMap(({isFilled}, i) => (isFilled ? [i + 1] : []));
    const options: uPlot.Options = {
      width: host.current.clientWidth,
      height,
      legend: {show: false},
      cursor: {y: false, points: {size: 6}, drag: {x: !isSmall, y: false, setScale: false}},
      padding: [8, 12, 0, 0],
      scales: {
        x: {time: true, ...(from !== undefined && to !== undefined && {range: (): [number, number] => [from, to]})},
        y: {range: (_, low, high) => yRange(low, high, filled.length > 0)},
      },
      axes: [
        {...axis, size: 30, space: 70, values: (_, splits, __, ___, step) => splits.map(at => tick(at, step, zone))},
        {
          ...axis,
          size: ({ctx}, texts) => Math.max(52, widthOf(ctx, font, texts ?? []) + axis.ticks.size + axis.gap),
          space: isSmall ? 28 : 36,
          values: (_, splits) => splits.map(short),
        },
      ],
      ...(zone === 'utc' && {tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC')}),
      bands: filled.slice(1).map((upper, i) => ({series: [upper, filled[i] ?? upper]})),
      series: [{}, ...lines.map(seriesOptions)],
      hooks: {
        setCursor: [({cursor}) => handlers.current.onPoint?.(cursor.idx ?? undefined)],
        setSelect: [
          made => {
            const {left, width: wide} = made.select;
            if (wide < 4) return;
            handlers.current.onSelect?.(made.posToVal(left, 'x'), made.posToVal(left + wide, 'x'));
            made.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
          },
        ],
      },
    };
    const made = new uPlot(options, data, host.current);
    plot.current = made;
    return () => made.destroy();
  }, [isKnown, isDark, data, height, zone, from, to, isSmall]);

  useEffect(() => {
    if (width > 0) plot.current?.setSize({width, height});
  }, [width, height]);

  return <div ref={host} class="plot" style={{height: `${height}px`}} />;
}

function seriesOptions({colour, isDashed = false, isFilled = false, values}: Line): uPlot.Series {
  const stroke = resolved(seriesColour(colour));
  return {
    stroke,
    width: isDashed ? 1 : 1.5,
    ...(isDashed && {dash: [4, 4]}),
    ...(isFilled && {fill: stroke.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.35)')}),
    spanGaps: false,
    // A value without neighbours is no line.
    points: {show: true, size: 5, filter: () => lonely(values)},
  };
}

function lonely(values: readonly (number | null)[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null) found.push(i);
  }
  return found;
}

/** Labels are as wide as their numbers are long, on a canvas that cuts what has no room. */
function widthOf(ctx: CanvasRenderingContext2D, font: string, texts: readonly string[]): number {
  ctx.save();
  ctx.font = font;
  const widths = texts.map(text => ctx.measureText(text).width);
  ctx.restore();
  return Math.max(0, ...widths);
}

/** Zero is on the axis unless the values keep far from it; an area always stands on it. */
function yRange(lowest: number | null, highest: number | null, isFilled: boolean): [number, number] {
  if (lowest === null || highest === null) return [0, 1];
  const low = isFilled ? Math.min(0, lowest) : lowest;
  const high = isFilled ? Math.max(0, highest) : highest;
  const span = high - low;
  const from = low >= 0 && low < 2 * span ? 0 : low - (span || Math.abs(low) || 1) * 0.1;
  const to = high <= 0 && -high < 2 * span ? 0 : high + (span || Math.abs(high) || 1) * 0.1;
  return [low === 0 && span === 0 ? 0 : from, to];
}

/** The text of a time on the axis: the day where one begins, else the clock, of 24 hours. */
function tick(at: number, step: number, zone: Zone): string {
  const text = time(at * 1000, zone);
  const [day = '', clock = ''] = text.split(' ');
  if (step >= 86_400 || clock === '00:00:00') return day.slice(5);
  return step < 60 ? clock : clock.slice(0, 5);
}
