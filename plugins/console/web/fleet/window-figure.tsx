import {useMemo} from 'preact/hooks';
import {ask} from '../base/api.js';
import {counted} from '../base/format.js';
import {change} from '../base/location.js';
import {gridOf} from '../base/series.js';
import {useAnswer, useTicks} from '../base/use-answer.js';
import {Choice} from '../parts/choice.js';
import {seriesColour} from '../parts/colours.js';
import {Failure} from '../parts/notes.js';
import {Plot} from '../parts/plot.js';
import type {FleetAgent, WindowSeries} from './fleet.js';

const REFRESH = 15_000;
/** Milliseconds. */
const SHOWN = 15 * 60_000;
/** Histograms have hundreds of series. */
const MOST = 40;

interface FigureProps {
  readonly agents: readonly FleetAgent[];
  readonly query: URLSearchParams;
}

/** What an agent has kept of one metric. */
export function WindowFigure({agents, query}: FigureProps) {
  const pods = [...new Set(agents.map(({pod_name: pod}) => pod))].sort();
  const pod = query.get('pod') ?? pods[0] ?? '';
  const ticks = useTicks(REFRESH);
  const {data, error, isBusy} = useAnswer(JSON.stringify([pod, ticks]), signal =>
    ask<readonly WindowSeries[]>(
      'diagnostics-proxy/metrics-windows',
      {pod_name: pod, start_time: new Date(Date.now() - SHOWN).toISOString()},
      signal,
    ),
  );
  const names = useMemo(() => [...new Set((data ?? []).map(({name}) => name))].sort(), [data]);
  const metric = query.get('metric') ?? names[0] ?? '';
  const found = useMemo(() => (data ?? []).filter(({name}) => name === metric), [data, metric]);
  const shown = useMemo(
    () =>
      found.slice(0, MOST).map(({labels, data: points}) => ({
        name: labelsOf(labels),
        points: points.map(({timestamp, value}) => [Date.parse(timestamp) / 1000, String(value)] as const),
        isOlder: false,
      })),
    [found],
  );
  const grid = useMemo(() => gridOf(shown), [shown]);
  const lines = useMemo(() => grid.values.map((values, i) => ({values, colour: i})), [grid]);
  return (
    <figure class="panel" aria-label="Window" aria-busy={isBusy}>
      <div class="head">
        <h2>Metrics of the agents</h2>
        <span class="quiet">{found[0]?.description}</span>
      </div>
      <div class="body stack">
        <div class="bar">
          <Choice
            label="Pod"
            value={pod}
            options={pods.map(text => ({value: text, text}))}
            onChange={value => change({pod: value}, 'replace')}
          />
          <Choice
            label="Metric"
            value={metric}
            options={names.map(text => ({value: text, text}))}
            onChange={value => change({metric: value}, 'replace')}
          />
        </div>
        {error !== undefined && <Failure what="The metrics are not known" error={error} />}
        {grid.times.length > 0 ? (
          <Plot times={grid.times} lines={lines} height={220} zone="local" />
        ) : (
          <p class="quiet">{data === undefined ? 'Asking the agent…' : 'The agent has kept no value of it.'}</p>
        )}
        <ul class="keys" aria-label="Legend">
          {shown.map(({name}, i) => (
            <li key={name}>
              <span class="dot" style={{background: seriesColour(i)}} aria-hidden="true" />
              <bdi class="mono">{name}</bdi>
            </li>
          ))}
        </ul>
        {found.length > MOST && (
          <p class="quiet">
            {counted(found.length, 'line')} in all; the first {MOST} are drawn.
          </p>
        )}
      </div>
    </figure>
  );
}

/** What tells a series from the others of its pod. */
function labelsOf({pod_name: _, node_role: __, ...labels}: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}
