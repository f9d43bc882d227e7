import {ask} from '../base/api.js';
import {bytes} from '../base/format.js';
import {useAnswer} from '../base/use-answer.js';
import {Failure} from '../parts/notes.js';
import {Scroll} from '../parts/scroll.js';
import {durationText, type FleetLifecycle} from './fleet.js';

type Groups = NonNullable<FleetLifecycle['groups']>;
type Statuses = NonNullable<FleetLifecycle['lifecycle_statuses']>;

/** How long data is kept, how much there is, and what was moved of late. */
export function LifecyclePart() {
  const {data, error} = useAnswer('lifecycle', signal =>
    ask<FleetLifecycle>('diagnostics-proxy/cluster/lifecycle', {}, signal),
  );
  if (error !== undefined) return <Failure what="The lifecycle of the data is not known" error={error} />;
  if (data === undefined) return null;
  const {groups = [], lifecycle_statuses: statuses = []} = data;
  return (
    <>
      <GroupTable groups={groups} />
      <Reports statuses={statuses.filter(({reports}) => reports.length > 0)} />
    </>
  );
}

function GroupTable({groups}: {readonly groups: Groups}) {
  return (
    <Scroll kind="panel">
      <table>
        <caption>Lifecycle</caption>
        <thead>
          <tr>
            <th scope="col">Group</th>
            <th scope="col">Catalog</th>
            <th scope="col">Kept for</th>
            <th scope="col">Then</th>
            <th scope="col" class="number">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({name, catalog = '', resource_opts: options = {}, data_info: info = []}) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{catalog.replace(/^CATALOG_/, '').toLowerCase()}</td>
              <td>{durationText(options.ttl)}</td>
              <td>
                <bdi>{(options.stages ?? []).map(stage => `${stage.name} ${durationText(stage.ttl)}`).join(', ')}</bdi>
              </td>
              <td class="number">{bytes(info.reduce((sum, each) => sum + Number(each.data_size_bytes ?? 0), 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Reports({statuses}: {readonly statuses: Statuses}) {
  if (statuses.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="reports">
      <h2 id="reports">Lifecycle reports</h2>
      <div class="body stack">
        {statuses.map(({pod_name: pod, reports}) =>
          reports.map(({filename, report_json: text}) => (
            <details key={`${pod}/${filename}`}>
              <summary>
                <bdi>{pod}</bdi> <bdi class="quiet">{filename}</bdi>
              </summary>
              <pre tabIndex={0}>{text}</pre>
            </details>
          )),
        )}
      </div>
    </section>
  );
}
