import {useMemo} from 'preact/hooks';
import {percent, short} from '../base/format.js';
import {RowGroups} from '../parts/row-groups.js';
import {Scroll} from '../parts/scroll.js';
import {
  endOf,
  isBad,
  type RelationEnd,
  type ServiceNumbers,
  serviceAddress,
  sourceEnd,
  type TopologyAnswer,
  targetEnd,
} from './topology.js';

interface TableProps {
  readonly answer: TopologyAnswer;
  /** Whether services without relations belong to it. */
  readonly isWhole: boolean;
}

interface Row {
  readonly source: RelationEnd;
  /** Undefined: calls nobody, and is called by nobody. */
  readonly target: RelationEnd | undefined;
  readonly numbers: ServiceNumbers;
}

/** The picture in words: a row for each relation, and for each service that has none. */
export function ServiceTable({answer, isWhole}: TableProps) {
  const rows = useMemo(() => rowsOf(answer, isWhole), [answer, isWhole]);
  return (
    <Scroll kind="panel">
      <table>
        <caption>Services</caption>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Calls</th>
            <th scope="col" class="number">
              Calls per minute
            </th>
            <th scope="col" class="number">
              Failed
            </th>
            <th scope="col" class="number">
              Response time
            </th>
          </tr>
        </thead>
        <RowGroups rows={rows} draw={drawRow} />
      </table>
    </Scroll>
  );
}

function drawRow({source, target, numbers}: Row) {
  return (
    <tr key={source.key + (target?.key ?? '')}>
      <th scope="row">
        <EndLink end={source} />
      </th>
      <td>{target === undefined ? <span class="quiet">nobody</span> : <EndLink end={target} />}</td>
      <NumberCells {...numbers} />
    </tr>
  );
}

function rowsOf({relations, services}: TopologyAnswer, isWhole: boolean): readonly Row[] {
  const rows: Row[] = relations.map(each => ({source: sourceEnd(each), target: targetEnd(each), numbers: each}));
  if (!isWhole) return rows;
  const related = new Set(
    rows.flatMap(({source, target = source}) => [source, target]).map(({layer, service}) => endOf(layer, service).key),
  );
  for (const numbers of services) {
    const source = endOf(numbers.layer, numbers.service);
    if (!related.has(source.key)) rows.push({source, target: undefined, numbers});
  }
  return rows;
}

function EndLink({end: {layer, service, part}}: {readonly end: RelationEnd}) {
  return (
    <>
      <a href={serviceAddress({layer, service})}>
        <bdi>{service}</bdi>
      </a>{' '}
      {part !== '' && <bdi>{part}</bdi>} <span class="quiet small">{layer}</span>
    </>
  );
}

function NumberCells({calls, errors, latency}: ServiceNumbers) {
  const failed = errors !== undefined && isBad({errors});
  return (
    <>
      <td class="number">{calls === undefined ? '' : short(calls)}</td>
      <td class={failed ? 'number failed' : 'number'}>{errors === undefined ? '' : percent(errors)}</td>
      <td class="number">{latency === undefined ? '' : `${short(latency)} ms`}</td>
    </>
  );
}
