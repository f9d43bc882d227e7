import {ask, askText} from '../base/api.js';
import {useAnswer, useTicks} from '../base/use-answer.js';
import {Failure, Note, StateMark} from '../parts/notes.js';
import {Scroll} from '../parts/scroll.js';
import {Differences} from './differences.js';
import {type Families, parseFamilies} from './exposition.js';
import type {Component, Status} from './status.js';
import {Traffic} from './traffic.js';

const REFRESH = 15_000;
const HIDDEN = 'Traffic, reloads, certificates and the reasons of failures are shown to who has the right "admin".';

/** What whoever has the right `admin` sees, and what everybody may. */
interface Seen {
  readonly status: Status;
  readonly families: Families | undefined;
}

async function load(signal: AbortSignal): Promise<Seen> {
  const {mayAll, ...status} = await ask<Status & {readonly mayAll: boolean}>('console/overview', {}, signal);
  if (!mayAll) return {status, families: undefined};
  const [whole, metrics] = await Promise.all([
    ask<Status>('admin/-/plugins', {}, signal),
    askText('admin/metrics', signal),
  ]);
  return {status: whole, families: parseFamilies(metrics)};
}

export function Overview() {
  const ticks = useTicks(REFRESH);
  const {data, error} = useAnswer(String(ticks), load);
  return (
    <>
      <div class="head">
        <h1>Overview</h1>
        {data !== undefined && (
          <span class="quiet">
            version {data.status.gateway.version} · <StateMark state={data.status.gateway.state} />
          </span>
        )}
      </div>
      {error !== undefined && <Failure what="The state of the gateway is not known" error={error} />}
      {data !== undefined && data.families === undefined && <Note>{HIDDEN}</Note>}
      {data?.families !== undefined && <Traffic families={data.families} />}
      {data !== undefined && <Storage storage={data.status.storage} />}
      <Plugins plugins={data?.status.plugins ?? []} />
      {data?.status.storage?.differences !== undefined && <Differences list={data.status.storage.differences} />}
    </>
  );
}

function Storage({storage}: {readonly storage: Status['storage']}) {
  return (
    <section class="panel" aria-labelledby="storage">
      <div class="head">
        <h2 id="storage">Storage</h2>
        {storage !== null && <StateMark state={storage.state} />}
      </div>
      <div class="body stack">
        {storage === null ? (
          <p class="quiet">The configuration names no storage.</p>
        ) : (
          <>
            <p>
              <strong>{storage.name}</strong> {storage.version}
              {storage.message !== undefined && <span class="quiet"> — {storage.message}</span>}
            </p>
            <ul class="chips" aria-label="Capabilities">
              {storage.capabilities.map(name => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

function Plugins({plugins}: {readonly plugins: Status['plugins']}) {
  return (
    <Scroll kind="panel">
      <table>
        <caption>Plugins</caption>
        <thead>
          <tr>
            <th scope="col">Plugin</th>
            <th scope="col">State</th>
            <th scope="col">Served at</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {plugins.map(plugin => (
            <tr key={plugin.name}>
              <th scope="row">
                {plugin.name} <span class="quiet">{plugin.version}</span>
              </th>
              <td>
                <StateMark state={plugin.state} />
              </td>
              <td>
                {plugin.listener} <code>{plugin.prefix}</code>
              </td>
              <td class="quiet">{reasonOf(plugin)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function reasonOf({state, message}: Component): string {
  return message?.replace(`${state}: `, '') ?? '';
}
