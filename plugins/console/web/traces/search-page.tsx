import {useEffect, useMemo, useState} from 'preact/hooks';
import {ask} from '../base/api.js';
import {secondsOf} from '../base/durations.js';
import {counted, duration, time} from '../base/format.js';
import {addressOf, change, goTo, type Place, pathOf} from '../base/location.js';
import {idFrom, SOURCES, type SpanSource, sourceOf} from '../base/sources.js';
import {type FoundTrace, matchedIn, search, startOf} from '../base/trace-search.js';
import {useAnswer} from '../base/use-answer.js';
import {Failure, Note} from '../parts/notes.js';
import {Scroll} from '../parts/scroll.js';
import {Scatter} from './scatter.js';
import {SearchForm} from './search-form.js';

export const DEFAULT_LIMIT = 100;

/** Traces that hold a span as asked for, newest first. */
export function SearchPage({place: {query}}: {readonly place: Place}) {
  const chosen = sourceOf(query.get('source') ?? '');
  const {data: first} = useAnswer(chosen === undefined ? 'first' : undefined, firstSource);
  const source = chosen ?? first;
  const asked = query.get('q') ?? '';
  const [draft, setDraft] = useState({text: asked, revision: 0});
  const [runs, setRuns] = useState(0);
  useEffect(() => {
    setDraft(before => (before.text.trim() === asked ? before : {text: asked, revision: before.revision + 1}));
  }, [asked]);
  const range = query.get('range') ?? '';
  const limit = Number(query.get('limit')) || DEFAULT_LIMIT;
  const plugin = source?.plugin ?? '';
  const {data, error, isBusy} = useAnswer(source && JSON.stringify([plugin, asked, range, limit, runs]), signal =>
    search({plugin, query: asked, range: secondsOf(range), limit}, signal),
  );
  const start = (): void => {
    setRuns(count => count + 1);
    const text = draft.text.trim();
    if (text !== asked) change({q: text});
  };
  const traceAddress = useMemo(
    () => (trace: FoundTrace) => addressOf(pathOf('traces', source?.id ?? '', trace.traceID)),
    [source],
  );

  return (
    <>
      <h1>Traces</h1>
      <SearchForm
        source={source?.id ?? ''}
        plugin={plugin}
        draft={draft}
        range={range}
        limit={String(limit)}
        onDraft={setDraft}
        onSet={values => change(values)}
        onRun={start}
        onOpen={id => source && goTo(addressOf(pathOf('traces', source.id, idFrom(source, id))))}
      />
      <section class="stack wide" aria-label="Answer" aria-busy={isBusy}>
        <div class="progress" />
        {error !== undefined && <Failure what="The search has failed" error={error} />}
        {data?.length === 0 && <Note>No trace has a span like this in the time that was searched.</Note>}
        {data !== undefined && data.length > 0 && (
          <>
            <Scatter traces={data} addressOf={traceAddress} />
            <TraceTable traces={data} addressOf={traceAddress} />
            <p class="quiet" role="status">
              {counted(data.length, 'trace')}
              {data.length >= limit && ', as many as were asked for; there may be more'}
            </p>
          </>
        )}
      </section>
    </>
  );
}

/** The first kind of traces that this gateway answers. */
async function firstSource(signal: AbortSignal): Promise<SpanSource | undefined> {
  const {plugins} = await ask<{readonly plugins: readonly {readonly name: string; readonly state: string}[]}>(
    'console/overview',
    {},
    signal,
  );
  const isOn = ({plugin}: SpanSource): boolean =>
    plugins.some(({name, state}) => name === plugin && (state === 'ok' || state === 'degraded'));
  return SOURCES.find(isOn) ?? SOURCES[0];
}

interface TableProps {
  readonly traces: readonly FoundTrace[];
  readonly addressOf: (trace: FoundTrace) => string;
}

export function TraceTable({traces, addressOf: addressFor}: TableProps) {
  return (
    <Scroll kind="panel">
      <table>
        <caption>Traces</caption>
        <thead>
          <tr>
            <th scope="col">Root</th>
            <th scope="col">Start</th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col" class="number">
              Spans found
            </th>
            <th scope="col">ID</th>
          </tr>
        </thead>
        <tbody>
          {traces.map(trace => (
            <tr key={trace.traceID}>
              <th scope="row">
                <a href={addressFor(trace)}>
                  <bdi class="quiet">{trace.rootServiceName}</bdi> <bdi>{trace.rootTraceName ?? 'trace'}</bdi>
                </a>
              </th>
              <td class="nowrap">{time(startOf(trace), 'local', 3)}</td>
              <td class="number">{duration((trace.durationMs ?? 0) * 1000)}</td>
              <td class="number">{matchedIn(trace)}</td>
              <td class="mono quiet">{trace.traceID}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
