import {Scroll} from '../parts/scroll.js';
import type {AnsweredDifference} from './status.js';

/** What the two storages of a tee have answered differently, the latest first. */
export function Differences({list}: {readonly list: readonly AnsweredDifference[]}) {
  return (
    <Scroll kind="panel">
      <table>
        <caption>Last differences of the two storages</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Question</th>
            <th scope="col">At</th>
            <th scope="col">Primary</th>
            <th scope="col">Secondary</th>
          </tr>
        </thead>
        <tbody>
          {list.length === 0 && (
            <tr>
              <td colSpan={5} class="quiet">
                None since the gateway has had these storages.
              </td>
            </tr>
          )}
          {list.map(({time, capability, method, request, at, primary, secondary}, index) => (
            <tr key={index}>
              <td>
                <time dateTime={time}>{time.slice(0, 19).replace('T', ' ')}</time>
              </td>
              <th scope="row">
                {capability} {method} <code>{request}</code>
              </th>
              <td>
                <code>{at}</code>
              </td>
              <td>
                <code>{primary}</code>
              </td>
              <td>
                <code>{secondary}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
