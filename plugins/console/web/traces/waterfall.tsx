import type {VNode} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {duration} from '../base/format.js';
import {seriesColour} from '../parts/colours.js';
import {type Piece, piecesIn} from './critical-path.js';
import {type EventMark, marksOf} from './events.js';
import type {SpanTree, TreeSpan} from './model.js';
import {targetOf} from './tree-keys.js';
import type {ShownTime} from './window.js';

const ROW = 26;
/** Rows beyond the edges, so that scrolling finds them drawn. */
const BEYOND = 12;
/** The part of a window that is no longer told apart on a screen. */
const FINEST = 0.002;
const INDENT = 12;
const DEEPEST = 20;

interface WaterfallProps {
  readonly trace: SpanTree;
  readonly rows: readonly TreeSpan[];
  readonly window: ShownTime;
  readonly folded: ReadonlySet<TreeSpan>;
  readonly selected: TreeSpan | undefined;
  readonly matches: readonly TreeSpan[];
  readonly critical: ReadonlyMap<TreeSpan, readonly Piece[]>;
  readonly onSelect: (span: TreeSpan) => void;
  readonly onFold: (folded: ReadonlySet<TreeSpan>) => void;
}

const idOf = ({index}: TreeSpan): string => `span-${index}`;

/** The tree of spans. Only rows in view are in the page; the keys are those of a tree. */
export function Waterfall(props: WaterfallProps) {
  const {trace, rows, window, folded, selected, matches, critical, onSelect, onFold} = props;
  const scroller = useRef<HTMLDivElement>(null);
  /** In rows. */
  const [view, setView] = useState({top: 0, count: 24});
  const places = useMemo(() => new Map(rows.map((span, i) => [span, i])), [rows]);
  const services = useMemo(() => new Map(trace.services.map((name, i) => [name, i])), [trace]);
  const marked = useMemo(() => new Set(matches), [matches]);
  // A row that stays in view while the tree scrolls is not rendered again: scrolling is the only change within these.
  const drawn = useMemo(
    () => ({rows: new Map<TreeSpan, VNode>()}),
    [trace, rows, window, folded, selected, matches, critical, onSelect, onFold],
  );
  const at = selected === undefined ? undefined : places.get(selected);

  useEffect(() => {
    const {current} = scroller;
    if (current === null) return undefined;
    const measure = (): void => {
      const [top, count] = [Math.floor(current.scrollTop / ROW), Math.ceil(current.clientHeight / ROW) + 1];
      setView(before => (before.top === top && before.count === count ? before : {top, count}));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener('scroll', measure, {passive: true});
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, []);

  // The selected row stays in view, whoever has selected it.
  useEffect(() => {
    const {current} = scroller;
    if (current === null || at === undefined) return;
    const [top, bottom] = [at * ROW, (at + 1) * ROW];
    if (top < current.scrollTop) current.scrollTop = top;
    else if (bottom > current.scrollTop + current.clientHeight) current.scrollTop = bottom - current.clientHeight;
  }, [at]);

  const fold = (span: TreeSpan, isFolded: boolean): void => {
    const changed = new Set(folded);
    if (isFolded) changed.add(span);
    else changed.delete(span);
    onFold(changed);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, view.count - 3);
    const target = targetOf(event.key, {rows, at: at ?? 0, folded, page});
    if (target === undefined) return;
    event.preventDefault();
    if (target.fold !== undefined) fold(target.span, target.fold);
    else onSelect(target.span);
  };

  const first = Math.max(0, view.top - BEYOND);
  const last = Math.min(rows.length, view.top + view.count + BEYOND);
  const isDrawn = at !== undefined && at >= first && at < last;
  const length = window.to - window.from;
  const rowAt = (span: TreeSpan, place: number) => (
    <Row
      key={span.index}
      span={span}
      top={place * ROW}
      window={window}
      colour={services.get(span.service) ?? 0}
      isFolded={folded.has(span)}
      isSelected={span === selected}
      isMarked={marked.has(span)}
      critical={critical.get(span)}
      marks={marksOf(span, trace, window, length * FINEST)}
      onSelect={onSelect}
      onFold={fold}
    />
  );
  const inView = new Map(
    rows.slice(first, last).map((span, i) => [span, drawn.rows.get(span) ?? rowAt(span, first + i)]),
  );
  drawn.rows = inView;
  return (
    <div class="panel waterfall">
      <div class="columns quiet" aria-hidden="true">
        <span>Service and span</span>
        <span class="ticks">
          {[0, 0.25, 0.5, 0.75, 1].map(part => (
            <span key={part}>{duration(window.from + part * length)}</span>
          ))}
        </span>
      </div>
      <div
        ref={scroller}
        class="tree"
        role="tree"
        aria-label="Spans"
        tabIndex={0}
        style={{height: `${rows.length * ROW + 2}px`}}
        aria-activedescendant={isDrawn && selected !== undefined ? idOf(selected) : undefined}
        onKeyDown={press}
      >
        <div role="presentation" style={{height: `${rows.length * ROW}px`}}>
          {[...inView.values()]}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly span: TreeSpan;
  readonly top: number;
  readonly window: ShownTime;
  readonly colour: number;
  readonly isFolded: boolean;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly critical: readonly Piece[] | undefined;
  readonly marks: readonly EventMark[];
  readonly onSelect: (span: TreeSpan) => void;
  readonly onFold: (span: TreeSpan, isFolded: boolean) => void;
}

function Row(props: RowProps) {
  const {span, top, window, colour, isFolded, isSelected, isMarked, critical, marks, onSelect, onFold} = props;
  const {service, name, level, start, children, isFailed} = span;
  const hasChildren = children.length > 0;
  const length = window.to - window.from;
  const share = (at: number): number => ((at - window.from) / length) * 100;
  const siblings = span.parent?.children;
  const [left, right] = [share(start), share(start + span.duration)];
  return (
    <div
      id={idOf(span)}
      role="treeitem"
      class={`row${isSelected ? ' selected' : ''}${isMarked ? ' marked' : ''}`}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? !isFolded : undefined}
      {...(siblings !== undefined && {'aria-setsize': siblings.length, 'aria-posinset': span.position})}
      style={{top: `${top}px`}}
      onClick={() => onSelect(span)}
      onDblClick={() => hasChildren && onFold(span, !isFolded)}
    >
      <span
        class="who"
        title={`${service} ${name}`}
        style={{paddingLeft: `${Math.min(level - 1, DEEPEST) * INDENT + 6}px`}}
      >
        <span
          class="caret"
          aria-hidden="true"
          onClick={event => {
            if (!hasChildren) return;
            event.stopPropagation();
            onFold(span, !isFolded);
          }}
        >
          {hasChildren ? (isFolded ? '▸' : '▾') : ''}
        </span>
        <span class="dot" style={{background: seriesColour(colour)}} aria-hidden="true" />
        {isFailed && <span class="failed">error</span>} <bdi class="quiet">{service}</bdi> <bdi>{name}</bdi>
      </span>
      <span class="track">
        {right >= 0 && left <= 100 && (
          <span
            class={`bar-of${isFailed ? ' bad' : ''}`}
            style={{
              left: `${Math.max(0, left)}%`,
              width: `${Math.min(100, right) - Math.max(0, left)}%`,
              background: seriesColour(colour),
            }}
          />
        )}
        {piecesIn(critical ?? [], window, length * FINEST).map(({from, to}) => (
          <span key={from} class="critical" style={{left: `${share(from)}%`, width: `${share(to) - share(from)}%`}} />
        ))}
        {marks.map(({at, names}) => (
          <span key={at} class="event" title={names.join(', ')} style={{left: `${share(at)}%`}} />
        ))}
        <Took text={duration(span.duration)} left={left} right={right} />
      </span>
    </div>
  );
}

/** In percent: from here on there is no room for a duration beside its bar. */
const NEAR_END = 86;
const NEAR_BEGIN = 14;

/** How long a span took, after its bar, before it, or on it: where there is room. */
function Took({text, left, right}: {readonly text: string; readonly left: number; readonly right: number}) {
  if (right <= NEAR_END) {
    return (
      <span class="took" style={{left: `${Math.max(0, right)}%`}}>
        {text}
      </span>
    );
  }
  const isOn = left < NEAR_BEGIN;
  return (
    <span class={isOn ? 'took on' : 'took'} style={{right: isOn ? '8px' : `${100 - Math.min(100, left)}%`}}>
      {text}
    </span>
  );
}
