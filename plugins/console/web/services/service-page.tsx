import {ask, askMetrics} from '../base/api.js';
import {secondsOf} from '../base/durations.js';
import {counted} from '../base/format.js';
import {addressOf, change} from '../base/location.js';
import {SOURCES} from '../base/sources.js';
import {useAnswer} from '../base/use-answer.js';
import {Choice} from '../parts/choice.js';
import {Failure, Note} from '../parts/notes.js';
import type {CatalogMetric} from './catalog.js';
import {MetricFigure} from './metric-figure.js';
import {RankedEndpoints} from './ranked-endpoints.js';
import {ServiceTraces} from './service-traces.js';

interface PageProps {
  readonly layer: string;
  readonly service: string;
  readonly query: URLSearchParams;
}

interface Known {
  readonly catalog: readonly CatalogMetric[];
  /** Whether it was seen in the range. */
  readonly isSeen: boolean;
  readonly instances: readonly string[];
  /** Which kinds of traces the gateway answers. */
  readonly sources: readonly string[];
}

const RANGES = ['15m', '30m', '1h', '3h', '12h', '1d', '7d'].map(value => ({value, text: `Last ${value}`}));

/** One service: its metrics, instances, slowest endpoints and newest traces. */
export function ServicePage({layer, service, query}: PageProps) {
  const range = query.get('range') ?? '1h';
  const seconds = secondsOf(range) ?? 3600;
  const {data, error} = useAnswer(JSON.stringify([layer, service, seconds]), signal =>
    load(layer, service, seconds, signal),
  );
  const metrics = data?.catalog.filter(({scope, kind}) => scope === 'Service' && kind !== 'sampled-record') ?? [];
  const latency = data?.catalog.find(
    ({scope, kind, name}) => scope === 'Endpoint' && kind === 'common' && /_resp_time$/.test(name),
  );
  return (
    <>
      <div class="head">
        <h1>
          <bdi>{service}</bdi>
        </h1>
        <a href={addressOf('services', {focus: JSON.stringify([layer, service])})}>Who calls whom around it</a>
      </div>
      <div class="bar">
        <p class="quiet grow">{layer}</p>
        <Choice label="Range" value={range} options={RANGES} onChange={value => change({range: value}, 'replace')} />
      </div>
      {error !== undefined && <Failure what="The service cannot be shown" error={error} />}
      {data?.isSeen === false && <Note>No service of this name was seen in this layer in the range.</Note>}
      {data !== undefined && metrics.length === 0 && <Note>No metric is about services here.</Note>}
      <div class="plots">
        {metrics.map(metric => (
          <MetricFigure key={metric.name} metric={metric} layer={layer} service={service} range={seconds} />
        ))}
      </div>
      {data !== undefined && (
        <>
          {latency !== undefined && (
            <RankedEndpoints metric={latency.name} layer={layer} service={service} range={seconds} />
          )}
          <section class="panel" aria-labelledby="instances">
            <div class="head">
              <h2 id="instances">Instances</h2>
              <span class="quiet">{counted(data.instances.length, 'instance')} seen in the range</span>
            </div>
            <ul class="body chips">
              {data.instances.map(name => (
                <li key={name}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </section>
          {SOURCES.filter(({plugin}) => data.sources.includes(plugin)).map(source => (
            <ServiceTraces key={source.id} source={source} service={service} range={seconds} />
          ))}
        </>
      )}
    </>
  );
}

async function load(layer: string, service: string, seconds: number, signal: AbortSignal): Promise<Known> {
  const end = Math.floor(Date.now() / 1000);
  const range = {start: end - seconds, end};
  const own = `layer=${JSON.stringify(layer)},service=${JSON.stringify(service)}`;
  const [catalog, seen, instances, overview] = await Promise.all([
    ask<readonly CatalogMetric[]>('console/metrics', {}, signal),
    askMetrics<readonly object[]>('series', {'match[]': `service_traffic{${own}}`, ...range}, signal),
    askMetrics<readonly {readonly service_instance?: string}[]>(
      'series',
      {'match[]': `instance_traffic{${own}}`, ...range},
      signal,
    ),
    ask<{readonly plugins: readonly {readonly name: string; readonly state: string}[]}>('console/overview', {}, signal),
  ]);
  return {
    catalog,
    isSeen: seen.length > 0,
    instances: instances.map(({service_instance: name = ''}) => name),
    sources: overview.plugins.filter(({state}) => state === 'ok' || state === 'degraded').map(({name}) => name),
  };
}
