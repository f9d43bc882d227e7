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
}

/** The endpoints of a service that take longest now. */
export function RankedEndpoints({metric, layer, service}: RankedProps) {
  const query = `${metric}{layer=${JSON.stringify(layer)},parent_service=${JSON.stringify(service)},top_n="${MOST}",order="DES"}`;
  const {data, error} = useAnswer(query, signal => askMetrics<QueryData>('query', {query}, signal));
  const rows = data?.resultType === 'vector' ? data.result : [];
  return (
    <Scroll kind="panel">
      <table>
        <caption>Slowest endpoints</caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" class="number">
              Response time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({metric: {endpoint = ''}, value: [, value]}) => (
            <tr key={endpoint}>
              <th scope="row">
                <bdi>{endpoint}</bdi>
              </th>
              <td class="number">{short(Number(value))} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="body quiet">{error?.message ?? 'No endpoint has a value now.'}</p>}
    </Scroll>
  );
}
