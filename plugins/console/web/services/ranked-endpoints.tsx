import {askMetrics} from '../base/api.js';
import {short} from '../base/format.js';
import type {QueryData} from '../base/series.js';
import {useAnswer} from '../base/use-answer.js';
import {Scroll} from '../parts/scroll.js';

const MOST = 10;

interface RankedProps {
  readonly metric: string;
  readonly layer: string;
  readonly service: string;
  /** Seconds. */
  readonly range: number;
}

/** The endpoints of a service that took longest in the range: a ranked query over a range has its means. */
export function RankedEndpoints({metric, layer, service, range}: RankedProps) {
  const query = `${metric}{layer=${JSON.stringify(layer)},parent_service=${JSON.stringify(service)},top_n="${MOST}",order="DES"}`;
  const {data, error} = useAnswer(JSON.stringify([query, range]), signal => {
    const end = Math.floor(Date.now() / 1000);
    return askMetrics<QueryData>('query_range', {query, start: end - range, end, step: range}, signal);
  });
  const rows = data?.resultType === 'matrix' ? data.result : [];
  return (
    <Scroll kind="panel">
      <table>
        <caption>Slowest endpoints</caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" class="number">
              Mean response time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({metric: {endpoint = ''}, values: [first]}) => (
            <tr key={endpoint}>
              <th scope="row">
                <bdi>{endpoint}</bdi>
              </th>
              <td class="number">{short(Number(first?.[1]))} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="body quiet">{error?.message ?? 'No endpoint has a value in the range.'}</p>}
    </Scroll>
  );
}
