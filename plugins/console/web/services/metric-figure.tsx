import {useMemo} from 'preact/hooks';
import {askMetrics} from '../base/api.js';
import {addressOf} from '../base/location.js';
import {gridOf, nameOf, type QueryData} from '../base/series.js';
import {useAnswer} from '../base/use-answer.js';
import {seriesColour} from '../parts/colours.js';
import {Plot} from '../parts/plot.js';
import type {CatalogMetric} from './catalog.js';

interface FigureProps {
  readonly metric: CatalogMetric;
  readonly layer: string;
  readonly service: string;
  /** Seconds. */
  readonly range: number;
}

/** A small plot of one metric; none where the service has no value of it. */
export function MetricFigure({metric: {name, unit, help}, layer, service, range}: FigureProps) {
  const expression = `${name}{layer=${JSON.stringify(layer)},service=${JSON.stringify(service)}}`;
  const {data, error} = useAnswer(JSON.stringify([expression, range]), async signal => {
    const end = Math.floor(Date.now() / 1000);
    const start = end - range;
    const answer = await askMetrics<QueryData>('query_range', {query: expression, start, end, step: 60}, signal);
    return {answer, start, end};
  });
  const series = useMemo(
    () =>
      data?.answer.resultType === 'matrix'
        ? data.answer.result.map(({metric: labels, values}) => ({
            name: labelOf(labels),
            points: values,
            isOlder: false,
          }))
        : [],
    [data],
  );
  const grid = useMemo(() => gridOf(series), [series]);
  const lines = useMemo(() => grid.values.map((values, i) => ({values, colour: i})), [grid]);
  if (error === undefined && (data === undefined || grid.times.length === 0)) return null;
  return (
    <figure class="panel" aria-label={name}>
      <div class="head">
        <h2>
          <a href={addressOf('query', {expr: expression})}>{name}</a>
        </h2>
        <span class="quiet small">{[help, unit].filter(text => text !== '').join(', ')}</span>
      </div>
      {error !== undefined && <p class="body quiet">{error.message}</p>}
      {data !== undefined && grid.times.length > 0 && (
        <div class="body">
          <Plot times={grid.times} lines={lines} height={130} zone="local" from={data.start} to={data.end} isSmall />
          {series.length > 1 && (
            <ul class="keys" aria-label="Legend">
              {series.map((each, i) => (
                <li key={each.name}>
                  <span class="dot" style={{background: seriesColour(i)}} aria-hidden="true" />
                  <bdi>{each.name}</bdi>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </figure>
  );
}

/** What tells a series from the others of the same metric and service. */
function labelOf({
  __name__: _,
  layer: __,
  scope: ___,
  service: ____,
  ...others
}: Readonly<Record<string, string>>): string {
  const text = Object.entries(others)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  return text === '' ? nameOf(others) : text;
}
