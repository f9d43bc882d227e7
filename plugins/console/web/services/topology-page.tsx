import {useMemo} from 'preact/hooks';
import {secondsOf} from '../base/durations.js';
import {change} from '../base/location.js';
import {useAnswer} from '../base/use-answer.js';
import {Choice} from '../parts/choice.js';
import {GraphPicture} from '../parts/graph.js';
import {Failure, Note} from '../parts/notes.js';
import {ServiceTable} from './service-table.js';
import {
  askTopology,
  endOf,
  isBad,
  loadText,
  numbersText,
  type RelationEnd,
  serviceAddress,
  sourceEnd,
  type TopologyAnswer,
  targetEnd,
} from './topology.js';

const SCOPES = [
  {value: 'ServiceRelation', text: 'Services'},
  {value: 'ServiceInstanceRelation', text: 'Instances'},
  {value: 'EndpointRelation', text: 'Endpoints'},
];
const RANGES = ['15m', '1h', '3h', '12h', '1d', '7d', '30d'].map(value => ({value, text: `Last ${value}`}));
const ZOOMS = [
  {value: '', text: 'Fit'},
  ...['0.5', '0.75', '1', '1.5', '2'].map(value => ({value, text: `${Number(value) * 100} %`})),
];

/** Who calls whom. */
export function TopologyPage({query}: {readonly query: URLSearchParams}) {
  const scope = query.get('scope') ?? 'ServiceRelation';
  const range = query.get('range') ?? '1h';
  const focus = query.get('focus') ?? '';
  const zoom = query.get('zoom') ?? '';
  const seconds = secondsOf(range) ?? 3600;
  const all = useAnswer(JSON.stringify(['services', seconds]), signal =>
    askTopology({scope: 'ServiceRelation', range: seconds, of: undefined}, signal),
  );
  const of = useMemo(() => focusOf(focus), [focus]);
  const isWhole = scope === 'ServiceRelation' && of === undefined;
  const part = useAnswer(isWhole ? undefined : JSON.stringify([scope, seconds, focus]), signal =>
    askTopology({scope, range: seconds, of}, signal),
  );
  const {data, error, isBusy} = isWhole ? all : part;
  const services = all.data?.services ?? [];
  return (
    <>
      <h1>Services</h1>
      <div class="panel body bar">
        <Choice label="Show" value={scope} options={SCOPES} onChange={value => change({scope: value})} />
        <Choice label="Range" value={range} options={RANGES} onChange={value => change({range: value})} />
        <Choice
          label="Only around"
          value={focus}
          options={[
            {value: '', text: 'All services'},
            ...services.map(({layer, service}) => ({
              value: JSON.stringify([layer, service]),
              text: `${service} (${layer})`,
            })),
          ]}
          onChange={value => change({focus: value})}
        />
        <Choice label="Size" value={zoom} options={ZOOMS} onChange={value => change({zoom: value}, 'replace')} />
      </div>
      <section class="stack wide" aria-label="Answer" aria-busy={isBusy}>
        <div class="progress" />
        {error !== undefined && <Failure what="The topology is not known" error={error} />}
        {data?.isCut && <Note>There are more relations than are shown. Choose a service to see all of its own.</Note>}
        {data !== undefined && <TopologyFigure answer={data} isWhole={isWhole} zoom={Number(zoom) || undefined} />}
        {data !== undefined && <ServiceTable answer={data} isWhole={isWhole} />}
      </section>
    </>
  );
}

function focusOf(text: string): {readonly layer: string; readonly service: string} | undefined {
  try {
    const [layer, service] = JSON.parse(text) as readonly unknown[];
    return typeof layer === 'string' && typeof service === 'string' ? {layer, service} : undefined;
  } catch {
    return undefined;
  }
}

interface AnswerProps {
  readonly answer: TopologyAnswer;
  /** Whether services without relations belong to it. */
  readonly isWhole: boolean;
}

function TopologyFigure({answer, isWhole, zoom}: AnswerProps & {readonly zoom: number | undefined}) {
  const {nodes, edges} = useMemo(() => graphOf(answer, isWhole), [answer, isWhole]);
  return (
    <figure class="panel" aria-label="Topology">
      {nodes.length === 0 ? (
        <p class="body quiet">Nobody called anybody in this time.</p>
      ) : (
        <GraphPicture nodes={nodes} edges={edges} zoom={zoom} />
      )}
    </figure>
  );
}

function graphOf({relations, services}: TopologyAnswer, isWhole: boolean) {
  const ends = new Map<string, RelationEnd>();
  for (const relation of relations)
    for (const end of [sourceEnd(relation), targetEnd(relation)]) ends.set(end.key, end);
  if (isWhole) for (const {layer, service} of services) ends.set(endOf(layer, service).key, endOf(layer, service));
  const numbers = new Map(services.map(row => [endOf(row.layer, row.service).key, row]));
  const most = Math.max(1, ...relations.map(({calls = 0}) => calls));
  const nodes = [...ends.values()].map(({key, layer, service, part}) => {
    const own = numbers.get(key);
    return {
      key,
      name: part === '' ? service : part,
      note: part === '' ? (own && loadText(own)) || layer : service,
      href: serviceAddress({layer, service}),
      isBad: own !== undefined && isBad(own),
    };
  });
  const edges = relations.map(relation => ({
    from: sourceEnd(relation).key,
    to: targetEnd(relation).key,
    note: numbersText(relation),
    weight: Math.sqrt((relation.calls ?? 0) / most),
    isBad: isBad(relation),
  }));
  return {nodes, edges};
}
