import {useEffect, useRef, useState} from 'preact/hooks';
import {duration} from '../base/format.js';
import {resolved, seriesColour, useDark, useWidth} from '../parts/colours.js';
import type {SpanTree, TreeSpan} from './model.js';
import type {ShownTime} from './window.js';

const HEIGHT = 72;

interface OverviewProps {
  readonly trace: SpanTree;
  readonly rows: readonly TreeSpan[];
  readonly window: ShownTime;
  readonly onWindow: (window: ShownTime) => void;
}

/** Every row of the trace at a glance. Drawing over it chooses the time that the waterfall shows. */
export function TraceOverview({trace, rows, window, onWindow}: OverviewProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(host);
  const isDark = useDark();
  const [drag, setDrag] = useState<ShownTime>();

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (width === 0 || context == null || canvas.current === null) return;
    const scale = devicePixelRatio;
    canvas.current.width = width * scale;
    canvas.current.height = HEIGHT * scale;
    context.scale(scale, scale);
    const colours = trace.services.map((_, i) => resolved(seriesColour(i)));
    const indexes = new Map(trace.services.map((name, i) => [name, i]));
    const failed = resolved('var(--bad)');
    const step = HEIGHT / rows.length;
    const height = Math.max(1, Math.min(6, step * 0.8));
    for (let i = 0; i < rows.length; i++) {
      const {service, start, duration: length, isFailed} = rows[i] as TreeSpan;
      context.fillStyle = isFailed ? failed : (colours[indexes.get(service) ?? 0] ?? failed);
      context.fillRect((start / trace.length) * width, i * step, Math.max(1, (length / trace.length) * width), height);
    }
  }, [width, isDark, rows, trace]);

  const timeAt = (event: PointerEvent): number => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return 0;
    return Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * trace.length;
  };
  const shown = drag ?? window;
  const [low, high] = [Math.min(shown.from, shown.to), Math.max(shown.from, shown.to)];
  const share = (at: number): string => `${(at / trace.length) * 100}%`;
  const end = (): void => {
    setDrag(undefined);
    if (high - low > trace.length / 500) onWindow({from: low, to: high});
  };

  return (
    <figure class="panel overview" aria-label="Overview">
      <div
        ref={host}
        class="map"
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({from: timeAt(event), to: timeAt(event)});
        }}
        onPointerMove={event => drag !== undefined && setDrag({from: drag.from, to: timeAt(event)})}
        onPointerUp={() => drag !== undefined && end()}
      >
        <canvas ref={canvas} style={{width: '100%', height: `${HEIGHT}px`}} aria-hidden="true" />
        <div class="veil" style={{left: '0', width: share(low)}} />
        <div class="veil" style={{left: share(high), right: '0'}} />
      </div>
      <figcaption class="ticks quiet">
        {[0, 0.25, 0.5, 0.75, 1].map(part => (
          <span key={part}>{duration(part * trace.length)}</span>
        ))}
      </figcaption>
    </figure>
  );
}
