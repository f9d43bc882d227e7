import {useState} from 'preact/hooks';
import {count, counted, time, type Zone} from '../base/format.js';
import {nameOf, type Point, type QueryData} from '../base/series.js';
import {Scroll} from '../parts/scroll.js';
import type {Outcome} from './run.js';

/** So many rows are in the page at first. */
const SHOWN = 1000;

interface Row {
  readonly name: string;
  readonly points: readonly Point[];
}

interface TableProps {
  readonly outcomes: readonly Outcome[];
  readonly zone: Zone;
}

/** The instant answers at the end of the range, with the values as the API wrote them. */
export function ResultTable({outcomes, zone}: TableProps) {
  const [isWhole, setWhole] = useState(false);
  const several = outcomes.length > 1;
  const rows = outcomes.flatMap(({expression, instant}) => rowsOf(instant).map(row => ({expression, ...row})));
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  return (
    <div class="panel">
      <Scroll kind="">
        <table>
          <caption>Result</caption>
          <thead>
            <tr>
              {several && <th scope="col">Expression</th>}
              <th scope="col">Series</th>
              <th scope="col">Time</th>
              <th scope="col" class="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({expression, name, points}) => {
              const last = points[points.length - 1];
              return (
                <tr key={`${expression}\n${name}`}>
                  {several && (
                    <td class="mono">
                      <bdi>{expression}</bdi>
                    </td>
                  )}
                  <th scope="row" class="mono">
                    <bdi>{name}</bdi>
                  </th>
                  <td class="nowrap quiet">
                    {last === undefined ? '' : time(last[0] * 1000, zone)}
                    {points.length > 1 && ` (the last of ${counted(points.length, 'value')})`}
                  </td>
                  <td class="number mono">{last?.[1]}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {rows.length === 0 && <p class="body quiet">No series has a value at the end of the range.</p>}
      {shown.length < rows.length && (
        <div class="body">
          <button type="button" onClick={() => setWhole(true)}>
            Show all {count(rows.length)} series
          </button>
        </div>
      )}
    </div>
  );
}

function rowsOf(data: QueryData | undefined): readonly Row[] {
  switch (data?.resultType) {
    case undefined:
      return [];
    case 'vector':
      return data.result.map(({metric, value}) => ({name: nameOf(metric), points: [value]}));
    case 'matrix':
      return data.result.map(({metric, values}) => ({name: nameOf(metric), points: values}));
    case 'scalar':
    case 'string':
      return [{name: data.resultType, points: [data.result]}];
  }
}
