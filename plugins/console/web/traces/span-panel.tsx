import type {ComponentChildren} from 'preact';
import {duration} from '../base/format.js';
import {addressOf, pathOf} from '../base/location.js';
import type {SpanSource} from '../base/sources.js';
import {eventTime} from './events.js';
import type {SpanTree, TreeSpan} from './model.js';
import {type JsonAttribute, textOf} from './otlp.js';

interface PanelProps {
  readonly span: TreeSpan;
  readonly trace: SpanTree;
  readonly source: SpanSource;
}

/** Everything about the selected span. */
export function SpanPanel({span, trace, source}: PanelProps) {
  const {raw, resource, parent} = span;
  const {attributes = [], events = [], links = []} = raw;
  return (
    <section class="panel span" aria-label="Span">
      <div class="head">
        <h2>
          <bdi>{span.name}</bdi>
        </h2>
        {span.isFailed && <strong class="failed">error</strong>}
      </div>
      <div class="body stack">
        <Pairs
          title="Span"
          pairs={[
            ['service', span.service],
            ...present('kind', span.kind),
            ['begins', `${duration(span.start)} after the trace`],
            ['took', duration(span.duration)],
            ['id', span.id],
            ...present('status', [raw.status?.message, span.isFailed ? 'error' : ''].filter(Boolean).join(' · ')),
          ]}
        />
        <Pairs title="Attributes" pairs={pairsOf(attributes)} />
        {events.length > 0 && (
          <Part title="Events">
            {events.map((event, i) => (
              <Pairs
                key={`${i}-${event.timeUnixNano}`}
                title={`${event.name || 'event'} at ${duration(eventTime(event.timeUnixNano, trace))}`}
                pairs={pairsOf(event.attributes ?? [])}
                isInner
              />
            ))}
          </Part>
        )}
        {links.length > 0 && (
          <Part title="Links">
            <ul class="stack tight">
              {links.map(({traceId = '', spanId = '', attributes: told = []}, i) => (
                <li key={`${i}-${traceId}/${spanId}`}>
                  <a class="mono" href={addressOf(pathOf('traces', source.id, traceId), {span: spanId})}>
                    {traceId === raw.traceId ? `span ${spanId} of this trace` : `trace ${traceId}`}
                  </a>
                  {told.length > 0 && <Pairs title="" pairs={pairsOf(told)} isInner />}
                </li>
              ))}
            </ul>
          </Part>
        )}
        <Pairs title="Resource" pairs={pairsOf(resource)} />
        {parent === undefined && raw.parentSpanId !== undefined && raw.parentSpanId !== '' && (
          <p class="quiet">
            Its parent <code>{raw.parentSpanId}</code>{' '}
            {trace.spans.some(({id}) => id === raw.parentSpanId)
              ? 'is below it: they form a circle.'
              : 'is not stored.'}
          </p>
        )}
      </div>
    </section>
  );
}

type Pair = readonly [key: string, value: string];

const pairsOf = (attributes: readonly JsonAttribute[]): readonly Pair[] =>
  attributes.map(({key, value}) => [key, textOf(value)]);

/** A pair, unless its value says nothing. */
const present = (key: string, value: string): readonly Pair[] => (value === '' ? [] : [[key, value]]);

function Part({title, children}: {readonly title: string; readonly children: ComponentChildren}) {
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Pairs({
  title,
  pairs,
  isInner = false,
}: {
  readonly title: string;
  readonly pairs: readonly Pair[];
  readonly isInner?: boolean;
}) {
  if (pairs.length === 0 && !isInner) return null;
  return (
    <div class="stack tight">
      {isInner ? title !== '' && <p class="quiet">{title}</p> : <h3>{title}</h3>}
      {pairs.length > 0 && (
        <dl class="pairs">
          {pairs.map(([key, value], i) => (
            <div key={`${i}-${key}`}>
              <dt>
                <bdi>{key}</bdi>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
