import type {ComponentChildren} from 'preact';
import {useMemo} from 'preact/hooks';
import {ask} from '../base/api.js';
import {ago, count, counted, time} from '../base/format.js';
import type {Place} from '../base/location.js';
import {useAnswer, useTicks} from '../base/use-answer.js';
import {GraphPicture} from '../parts/graph.js';
import {Failure, Note, StateMark} from '../parts/notes.js';
import {Scroll} from '../parts/scroll.js';
import {type FleetAgent, type FleetTopology, roleText} from './fleet.js';
import {LifecyclePart} from './lifecycle.js';
import {WindowFigure} from './window-figure.js';

const REFRESH = 15_000;

/** The agents of a database cluster, and what they tell. */
export function FleetPage({place: {query}}: {readonly place: Place}) {
  const ticks = useTicks(REFRESH);
  const {data, error} = useAnswer(String(ticks), signal =>
    ask<readonly FleetAgent[]>('diagnostics-proxy/agents', {}, signal),
  );
  const hasAgents = data !== undefined && data.length > 0;
  return (
    <>
      <h1>Fleet</h1>
      {error !== undefined && <Failure what="The agents are not known" error={error} />}
      {data !== undefined && <Summary agents={data} />}
      <AgentTable agents={data ?? []} />
      {data?.length === 0 && (
        <Note>No agent is registered. Agents report to the gRPC address of the diagnostics proxy.</Note>
      )}
      {hasAgents && (
        <>
          <WindowFigure agents={data} query={query} />
          <ClusterPart />
          <LifecyclePart />
        </>
      )}
    </>
  );
}

function Summary({agents}: {readonly agents: readonly FleetAgent[]}) {
  const online = agents.filter(({status}) => status === 'online').length;
  const roles = [...new Set(agents.map(({node_role: role}) => role))].sort();
  return (
    <dl class="tiles">
      <Tile name="Registered" value={count(agents.length)} note={`${count(online)} online`} />
      {roles.map(role => {
        const own = agents.filter(({node_role: each}) => each === role);
        const up = own.filter(({status}) => status === 'online').length;
        return (
          <Tile key={role} name={`Role ${roleText(role)}`} value={count(own.length)} note={`${count(up)} online`} />
        );
      })}
    </dl>
  );
}

function Tile({name, value, note}: {readonly name: string; readonly value: string; readonly note: ComponentChildren}) {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd class="big">{value}</dd>
      <dd class="quiet">{note}</dd>
    </div>
  );
}

function AgentTable({agents}: {readonly agents: readonly FleetAgent[]}) {
  const now = Date.now();
  return (
    <Scroll kind="panel">
      <table>
        <caption>Agents</caption>
        <thead>
          <tr>
            <th scope="col">Pod</th>
            <th scope="col">Role</th>
            <th scope="col">State</th>
            <th scope="col">Last heartbeat</th>
            <th scope="col">Containers</th>
            <th scope="col">Labels</th>
          </tr>
        </thead>
        <tbody>
          {agents.map(agent => (
            <tr key={agent.agent_id}>
              <th scope="row">
                <bdi>{agent.pod_name}</bdi>
              </th>
              <td>
                <bdi>{roleText(agent.node_role)}</bdi>
              </td>
              <td>
                <StateMark state={agent.status} />
              </td>
              <td class="nowrap">
                <time dateTime={agent.last_heartbeat} title={time(Date.parse(agent.last_heartbeat))}>
                  {ago(Date.parse(agent.last_heartbeat), now)}
                </time>
              </td>
              <td>
                <bdi>{agent.container_names.join(', ')}</bdi>
              </td>
              <td class="mono">
                <bdi>{labelsText(agent.labels)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Which node of the cluster speaks to which. */
function ClusterPart() {
  const {data, error, isBusy} = useAnswer('cluster', signal =>
    ask<FleetTopology>('diagnostics-proxy/cluster/topology', {}, signal),
  );
  const {nodes, edges} = useMemo(() => pictureOf(data), [data]);
  return (
    <figure class="panel" aria-label="Cluster" aria-busy={isBusy}>
      <div class="head">
        <h2>Cluster</h2>
        {data !== undefined && (
          <span class="quiet">
            {counted(nodes.length, 'node')}, {counted(edges.length, 'connection')}
          </span>
        )}
      </div>
      {error !== undefined && <Failure what="The topology of the cluster is not known" error={error} />}
      {data === undefined && error === undefined && <p class="body quiet">Asking the agents…</p>}
      {nodes.length > 0 && <GraphPicture nodes={nodes} edges={edges} zoom={undefined} />}
    </figure>
  );
}

function pictureOf(topology: FleetTopology | undefined) {
  const nodes = (topology?.nodes ?? []).map(({metadata, roles = [], status = '', labels = {}}) => {
    const name = metadata?.name ?? '';
    return {
      key: name,
      name: labels.pod_name ?? name,
      note: [roles.map(roleText).join(', '), labels.type ?? '', status].filter(text => text !== '').join(' · '),
      href: undefined,
      isBad: status === 'offline',
    };
  });
  const edges = (topology?.calls ?? []).map(({source, target}) => ({
    from: source,
    to: target,
    note: 'connected',
    weight: 0.1,
    isBad: false,
  }));
  return {nodes, edges};
}
