import {duration, time} from '../base/format.js';
import {addressOf, pathOf} from '../base/location.js';
import type {SpanSource} from '../base/sources.js';
import {type FoundTrace, search, startOf} from '../base/trace-search.js';
import {useAnswer} from '../base/use-answer.js';

const MOST = 5;
/** Of so many the slowest are chosen. */
const LOOKED_AT = 100;

interface TracesProps {
  readonly source: SpanSource;
  readonly service: string;
  /** Seconds. */
  readonly range: number;
}

/** The newest failed traces of a service, and its slowest of late. */
export function ServiceTraces({source: {id, text, plugin}, service, range}: TracesProps) {
  const own = `resource.service.name=${JSON.stringify(service)}`;
  const failed = `{${own} && status=error}`;
  const all = `{${own}}`;
  const {data, error} = useAnswer(JSON.stringify([plugin, service, range]), async signal => {
    const [newest, some] = await Promise.all([
      search({plugin, query: failed, range, limit: MOST}, signal),
      search({plugin, query: all, range, limit: LOOKED_AT}, signal),
    ]);
    const slowest = [...some].sort((a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0)).slice(0, MOST);
    return {newest, slowest};
  });
  return (
    <section class="panel" aria-label={`${text} traces`}>
      <div class="head">
        <h2>{text} traces</h2>
        <a href={addressOf('traces', {source: id, q: all})}>Search them</a>
      </div>
      <div class="body pair-lists">
        {error !== undefined && <p class="quiet">{error.message}</p>}
        {data !== undefined && (
          <>
            <TraceList title="Newest failed" traces={data.newest} source={id} />
            <TraceList title="Slowest of the newest" traces={data.slowest} source={id} />
          </>
        )}
      </div>
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly traces: readonly FoundTrace[];
  readonly source: string;
}

function TraceList({title, traces, source}: ListProps) {
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      {traces.length === 0 && <p class="quiet">None in the range.</p>}
      <ul class="stack tight">
        {traces.map(trace => (
          <li key={trace.traceID} class="trace-line">
            <a href={addressOf(pathOf('traces', source, trace.traceID))}>
              <bdi>{trace.rootServiceName}</bdi> <bdi>{trace.rootTraceName ?? 'trace'}</bdi>
            </a>
            <span>{duration((trace.durationMs ?? 0) * 1000)}</span>
            <span class="quiet">{time(startOf(trace)).slice(5)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
