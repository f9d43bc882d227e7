import {useMemo, useRef} from 'preact/hooks';
import {type GraphPlace, layoutOf, NODE} from '../base/layout.js';
import {useWidth} from './colours.js';
import {Scroll} from './scroll.js';

export interface GraphNode {
  readonly key: string;
  readonly name: string;
  /** A second line. */
  readonly note: string;
  readonly href: string | undefined;
  readonly isBad: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** What a pointer over it tells. */
  readonly note: string;
  /** From 0 to 1: how thick its line is. */
  readonly weight: number;
  readonly isBad: boolean;
}

interface GraphProps {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** 1: as large as text is meant to be. Undefined: as fits the width, within reason. */
  readonly zoom: number | undefined;
}

const MARGIN = 12;
/** Smaller than this nothing is read. */
const SMALLEST = 0.6;

/** Nodes and the lines between them. Whoever does not see it has the table beside it. */
export function GraphPicture({nodes, edges, zoom: wanted}: GraphProps) {
  const host = useRef<HTMLDivElement>(null);
  const room = useWidth(host);
  const layout = useMemo(
    () => layoutOf({nodes: nodes.map(({key}) => key), edges: edges.map(({from, to}) => [from, to])}),
    [nodes, edges],
  );
  const names = useMemo(() => new Map(nodes.map(({key, name}) => [key, name])), [nodes]);
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN];
  const zoom = wanted ?? Math.min(1, Math.max(SMALLEST, (room || width) / width));
  return (
    <div ref={host}>
      <Scroll kind="graph">
        <svg width={width * zoom} height={height * zoom} viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}>
          <defs>
            {['arrow', 'arrow-bad'].map(id => (
              <marker
                key={id}
                id={id}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
                markerUnits="userSpaceOnUse"
              >
                <path d="M0 0 8 4 0 8z" class={id} />
              </marker>
            ))}
          </defs>
          {edges.map(({from, to, note, weight, isBad}) => {
            const [begin, end] = [layout.places.get(from), layout.places.get(to)];
            if (begin === undefined || end === undefined) return null;
            const name = `${names.get(from)} to ${names.get(to)}`;
            return (
              <g key={JSON.stringify([from, to])} role="img" aria-label={name} class={isBad ? 'edge bad' : 'edge'}>
                <title>{`${name}: ${note}`}</title>
                <path
                  d={lineOf(begin, end)}
                  stroke-width={1 + 3 * weight}
                  marker-end={isBad ? 'url(#arrow-bad)' : 'url(#arrow)'}
                />
              </g>
            );
          })}
          {nodes.map(node => (
            <GraphBox key={node.key} node={node} place={layout.places.get(node.key)} />
          ))}
        </svg>
      </Scroll>
    </div>
  );
}

function GraphBox({
  node: {name, note, href, isBad},
  place,
}: {
  readonly node: GraphNode;
  readonly place: GraphPlace | undefined;
}) {
  if (place === undefined) return null;
  const box = (
    <>
      <title>{name}</title>
      <rect width={NODE.width} height={NODE.height} rx="6" />
      {/* What is too long for the box is cut off in view, and still there as text. */}
      <svg x="12" width={NODE.width - 20} height={NODE.height} aria-hidden="true">
        <text y="17" class="name">
          {name}
        </text>
      </svg>
    </>
  );
  return (
    <g transform={`translate(${place.x} ${place.y})`} class={isBad ? 'node bad' : 'node'}>
      {href === undefined ? (
        <g role="img" aria-label={name}>
          {box}
        </g>
      ) : (
        <a href={href} aria-label={name}>
          {box}
        </a>
      )}
      <text x="12" y="32" class="note">
        {note}
      </text>
    </g>
  );
}

/** From the right side of one to the left of the other; back, and to itself, around below. */
function lineOf(from: GraphPlace, to: GraphPlace): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  if (x2 > x1) {
    const bend = (x2 - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const below = Math.max(y1, y2) + NODE.height;
  return `M${x1} ${y1}C${x1 + 60} ${below} ${x2 - 60} ${below} ${x2} ${y2}`;
}
