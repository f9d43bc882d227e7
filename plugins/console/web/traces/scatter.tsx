import {useRef} from 'preact/hooks';
import {duration, time} from '../base/format.js';
import {goTo} from '../base/location.js';
import {type FoundTrace, startOf} from '../base/trace-search.js';
import {useWidth} from '../parts/colours.js';

const HEIGHT = 180;
const LEFT = 70;
const BOTTOM = 24;

interface ScatterProps {
  readonly traces: readonly FoundTrace[];
  readonly addressOf: (trace: FoundTrace) => string;
}

/** How long each trace took, over when it began. The same stands in the table; here one sees what stands out. */
export function Scatter({traces, addressOf}: ScatterProps) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const starts = traces.map(startOf);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const most = Math.max(1, ...traces.map(({durationMs = 0}) => durationMs));
  const x = (at: number): number => LEFT + 8 + ((at - first) / (last - first || 1)) * (width - LEFT - 24);
  const y = (ms: number): number => 8 + (1 - ms / most) * (HEIGHT - BOTTOM - 16);
  return (
    <figure class="panel" aria-label="Durations">
      <h2>Durations</h2>
      <div class="body">
        <div ref={host} class="scatter">
          {width > 0 && (
            <svg
              width={width}
              height={HEIGHT}
              role="img"
              aria-label={`Durations up to ${duration(most * 1000)} over time`}
            >
              {[0, 0.5, 1].map(share => (
                <g key={share}>
                  <path d={`M${LEFT} ${y(share * most)}H${width}`} class="rule" />
                  <text x={LEFT - 8} y={y(share * most) + 4} text-anchor="end">
                    {duration(share * most * 1000)}
                  </text>
                </g>
              ))}
              <text x={LEFT} y={HEIGHT - 4}>
                {time(first).slice(5)}
              </text>
              <text x={width - 8} y={HEIGHT - 4} text-anchor="end">
                {time(last).slice(5)}
              </text>
              {traces.map((trace, i) => (
                <circle
                  key={trace.traceID}
                  cx={x(starts[i] ?? first)}
                  cy={y(trace.durationMs ?? 0)}
                  r={5}
                  onClick={() => goTo(addressOf(trace))}
                />
              ))}
            </svg>
          )}
        </div>
      </div>
    </figure>
  );
}
