import {useMemo, useRef} from 'preact/hooks';
import type {Graph, GraphLayout} from '../base/layout.js';
import {type GraphPoint, NODE} from '../base/routes.js';
import {useWidth} from './colours.js';
import {Failure} from './notes.js';
import {Scroll} from './scroll.js';
import {useLayout} from './use-layout.js';

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

interface Picture {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

interface GraphProps extends Picture {
  /** 1: as large as text is meant to be. Undefined: as fits the width, within reason. */
  readonly zoom: number | undefined;
}

const MARGIN = 12;
/** Smaller than this nothing is read. */
const SMALLEST = 0.6;

/** Nodes and the lines between them. Whoever does not see it has the table beside it. */
export function GraphPicture({nodes, edges, zoom}: GraphProps) {
  const host = useRef<HTMLDivElement>(null);
  const room = useWidth(host);
  const wanted = useMemo(() => ({nodes, edges}), [nodes, edges]);
  const {picture, layout, error} = useLayout(wanted, graphOf);
  return (
    <div ref={host} aria-busy={picture !== wanted}>
      {error !== undefined && <Failure what="The picture cannot be drawn" error={error} />}
      {picture !== undefined && layout !== undefined && (
        <Drawing {...picture} layout={layout} zoom={zoom} room={room} />
      )}
    </div>
  );
}

function graphOf({nodes, edges}: Picture): Graph {
  return {nodes: nodes.map(({key}) => key), edges: edges.map(({from, to}) => [from, to])};
}

interface DrawingProps extends GraphProps {
  readonly layout: GraphLayout;
  /** Pixels; 0 until it is known. */
  readonly room: number;
}

function Drawing({nodes, edges, layout, zoom: wanted, room}: DrawingProps) {
  const names = useMemo(() => new Map(nodes.map(({key, name}) => [key, name])), [nodes]);
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN];
  const zoom = wanted ?? Math.min(1, Math.max(SMALLEST, (room || width) / width));
  return (
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
        {edges.map(({from, to, note, weight, isBad}, i) => {
          const name = `${names.get(from)} to ${names.get(to)}`;
          return (
            <g key={JSON.stringify([from, to])} role="img" aria-label={name} class={isBad ? 'edge bad' : 'edge'}>
              <title>{`${name}: ${note}`}</title>
              <path
                d={layout.routes[i]}
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
  );
}

function GraphBox({
  node: {name, note, href, isBad},
  place,
}: {
  readonly node: GraphNode;
  readonly place: GraphPoint | undefined;
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
