import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {ask} from '../base/api.js';
import {count, counted, duration, time} from '../base/format.js';
import {addressOf, change} from '../base/location.js';
import {readableId, type SpanSource} from '../base/sources.js';
import {useAnswer} from '../base/use-answer.js';
import {Choice} from '../parts/choice.js';
import {Failure, Note} from '../parts/notes.js';
import {useDraft} from '../parts/use-draft.js';
import {criticalPath} from './critical-path.js';
import {allFolds, type Folds, foldsFrom, foldsText, withoutFoldsAbove} from './folds.js';
import {type SpanTree, type TreeSpan, traceOf} from './model.js';
import type {JsonTrace} from './otlp.js';
import {TraceOverview} from './overview.js';
import {matchesOf, rowsOf} from './rows.js';
import {SpanPanel} from './span-panel.js';
import {Waterfall} from './waterfall.js';
import {type ShownTime, windowFrom, windowText} from './window.js';

interface PageProps {
  readonly source: SpanSource;
  readonly id: string;
  readonly query: URLSearchParams;
  /** The address of the search that led here, if one did. */
  readonly search: string | undefined;
}

/** One trace, as a waterfall. */
export function TracePage({source, id, query, search}: PageProps) {
  const {data, error} = useAnswer(`${source.id}/${id}`, async signal => {
    const {trace} = await ask<{readonly trace: JsonTrace}>(
      `${source.plugin}/api/v2/traces/${encodeURIComponent(id)}`,
      {},
      signal,
    );
    return traceOf(trace);
  });
  const root = data?.spans[0];
  const readable = readableId(source, id);
  return (
    <>
      <div class="head">
        <h1>
          {root === undefined ? (
            'Trace'
          ) : (
            <>
              <bdi class="quiet">{root.service}</bdi> <bdi>{root.name}</bdi>
            </>
          )}
        </h1>
        <a href={search ?? addressOf('traces', {source: source.id})}>All traces</a>
      </div>
      <p class="quiet mono">
        {id} {readable !== undefined && <bdi>{readable}</bdi>}
      </p>
      {error !== undefined && <Failure what="The trace cannot be shown" error={error} />}
      {data === undefined && error === undefined && (
        <div class="panel body" aria-busy="true">
          Loading the trace…
        </div>
      )}
      {data !== undefined && data.spans.length === 0 && <Note>The trace has no spans.</Note>}
      {data !== undefined && data.spans.length > 0 && <TraceView trace={data} source={source} query={query} />}
    </>
  );
}

/** Milliseconds. Steps of the keyboard are many: the address follows when they rest. */
const REST = 200;

function TraceView({
  trace,
  source,
  query,
}: {
  readonly trace: SpanTree;
  readonly source: SpanSource;
  readonly query: URLSearchParams;
}) {
  const wanted = query.get('span');
  const fromAddress = useMemo(() => trace.spans.find(({id}) => id === wanted), [trace, wanted]);
  const [selected, setSelected] = useState<TreeSpan | undefined>(fromAddress ?? trace.spans[0]);
  const [folded, setFolded] = useState(() => foldsFrom(query.get('folded'), trace));
  const [window, setWindow] = useState<ShownTime>(() => windowFrom(query.get('view'), trace.length));
  const service = query.get('service') ?? '';
  const find = query.get('find') ?? '';
  const rows = useMemo(() => rowsOf(trace, {folded, service}), [trace, folded, service]);
  const matches = useMemo(() => matchesOf(trace, find), [trace, find]);
  const critical = useMemo(() => criticalPath(trace.spans[0]), [trace]);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  /** Whether the first match is to be selected once it is found. */
  const isEntered = useRef(false);

  const fold = (folds: Folds): void => {
    if (folds === folded) return;
    setFolded(folds);
    change({folded: foldsText(folds, trace)}, 'replace');
  };
  // The address may come to name another span, also one that is folded away: a link to it, or the way back.
  const isFirst = useRef(true);
  useEffect(() => {
    if (fromAddress !== undefined && !isFirst.current) {
      setSelected(fromAddress);
      fold(withoutFoldsAbove(fromAddress, folded));
    }
    isFirst.current = false;
  }, [fromAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const select = (span: TreeSpan): void => {
    setSelected(span);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({span: span.id}, 'replace'), REST);
  };
  const show = (range: ShownTime): void => {
    setWindow(range);
    change({view: windowText(range, trace.length)}, 'replace');
  };
  /** Unfolds what hides a span, and selects it. */
  const reveal = (span: TreeSpan): void => {
    fold(withoutFoldsAbove(span, folded));
    select(span);
  };
  useEffect(() => {
    if (isEntered.current && matches[0] !== undefined) reveal(matches[0]);
    isEntered.current = false;
  }, [matches]);
  const step = (direction: number): void => {
    if (matches.length === 0) return;
    const at = selected === undefined ? -1 : matches.indexOf(selected);
    const next = matches[(at + direction + matches.length) % matches.length];
    if (next !== undefined) reveal(next);
  };

  return (
    <>
      <p role="status">
        {counted(trace.spans.length, 'span')} of {counted(trace.services.length, 'service')}, {duration(trace.length)}
        {trace.begin > 0 && ` from ${time(trace.begin, 'local', 3)}`}
        {trace.failed > 0 && <strong class="failed"> · {counted(trace.failed, 'error')}</strong>}
        {rows.length < trace.spans.length && ` · ${counted(rows.length, 'row')} shown`}
      </p>
      {wanted !== null && wanted !== '' && fromAddress === undefined && (
        <Note>
          The span <code>{wanted}</code> of the address is not in this trace.
        </Note>
      )}
      <TraceOverview trace={trace} rows={rows} window={window} onWindow={show} />
      <div class="bar">
        <Find
          text={find}
          found={matches.length}
          onText={text => change({find: text}, 'replace')}
          onEnter={() => {
            isEntered.current = true;
          }}
          onStep={step}
        />
        <Choice
          label="Service"
          value={service}
          options={[{value: '', text: 'All services'}, ...trace.services.map(text => ({value: text, text}))]}
          onChange={value => change({service: value}, 'replace')}
        />
        <button type="button" onClick={() => fold(allFolds(trace))}>
          Fold all
        </button>
        <button type="button" onClick={() => fold(new Set())}>
          Unfold all
        </button>
        <button
          type="button"
          disabled={selected === undefined}
          onClick={() => selected && show({from: selected.start, to: selected.start + Math.max(1, selected.duration)})}
        >
          Zoom to span
        </button>
        <button
          type="button"
          disabled={window.from === 0 && window.to === trace.length}
          onClick={() => show({from: 0, to: trace.length})}
        >
          Whole trace
        </button>
      </div>
      <div class="split">
        <Waterfall
          trace={trace}
          rows={rows}
          window={window}
          folded={folded}
          selected={selected}
          matches={matches}
          critical={critical}
          onSelect={select}
          onFold={fold}
        />
        {selected !== undefined && <SpanPanel span={selected} trace={trace} source={source} />}
      </div>
    </>
  );
}

interface FindProps {
  readonly text: string;
  readonly found: number;
  readonly onText: (text: string) => void;
  /** Another text is entered, whose first match is wanted. */
  readonly onEnter: () => void;
  readonly onStep: (direction: number) => void;
}

function Find({text, found, onText, onEnter, onStep}: FindProps) {
  const {text: draft, type, handOn} = useDraft(text, onText);
  useEffect(() => {
    const timer = setTimeout(() => handOn(draft), REST);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <div class="find">
      <label class="field">
        <span class="label">Find in trace</span>
        <input
          type="search"
          value={draft}
          onInput={event => type(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (event.currentTarget.value === text) onStep(event.shiftKey ? -1 : 1);
            else {
              onEnter();
              handOn(event.currentTarget.value);
            }
          }}
        />
      </label>
      <button type="button" aria-label="Previous match" disabled={found === 0} onClick={() => onStep(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next match" disabled={found === 0} onClick={() => onStep(1)}>
        ↓
      </button>
      <span class="quiet" role="status">
        {text !== '' && draft === text && `${count(found)} found`}
      </span>
    </div>
  );
}
