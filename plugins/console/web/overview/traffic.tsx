import {ago, bytes, count, time} from '../base/format.js';
import type {Families} from './exposition.js';

/** The gateway's own numbers since it was started. */
export function Traffic({families}: {readonly families: Families}) {
  const requests = sumOf(families, 'query_gateway_http_requests_total');
  const failed = sumOf(families, 'query_gateway_http_requests_total', ({status = ''}) => status >= '500');
  const refused = sumOf(families, 'query_gateway_http_requests_total', ({status = ''}) => /^4/.test(status));
  const seconds = sumOf(families, 'query_gateway_http_request_seconds_sum');
  const started = first(families, 'process_start_time_seconds');
  const memory = first(families, 'process_resident_memory_bytes');
  const running = first(families, 'query_gateway_queries_running');
  const waiting = first(families, 'query_gateway_queries_waiting');
  const now = Date.now();
  return (
    <dl class="tiles">
      <Tile name="Requests answered" value={count(requests)}>
        {requests > 0 && `${((seconds / requests) * 1000).toFixed(1)} ms on average`}
      </Tile>
      <Tile name="Failed" value={count(failed)}>
        {count(refused)} refused as wrong
      </Tile>
      {running !== undefined && (
        <Tile name="Queries running" value={count(running)}>
          {count(waiting ?? 0)} waiting
        </Tile>
      )}
      {memory !== undefined && (
        <Tile name="Memory" value={bytes(memory)}>
          {started !== undefined && `started ${ago(started * 1000, now)}`}
        </Tile>
      )}
      <Reload families={families} now={now} />
      {(families.get('query_gateway_tls_certificate_expiry_seconds') ?? []).map(([{listener = ''}, end]) => (
        <Tile key={listener} name={`Certificate of ${listener}`} value={remaining(end * 1000, now)}>
          ends {time(end * 1000)}
        </Tile>
      ))}
    </dl>
  );
}

function Reload({families, now}: {readonly families: Families; readonly now: number}) {
  const at = first(families, 'query_gateway_config_reload_timestamp_seconds');
  const success = first(families, 'query_gateway_config_reload_success');
  if (success === undefined) return null;
  return (
    <Tile name="Latest reload" value={success === 1 ? 'taken' : 'refused'}>
      {at !== undefined && at > 0 && `configuration of ${ago(at * 1000, now)}`}
    </Tile>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly children?: preact.ComponentChildren;
}

function Tile({name, value, children}: TileProps) {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd class="big">{value}</dd>
      <dd class="quiet">{children}</dd>
    </div>
  );
}

function remaining(end: number, now: number): string {
  const days = Math.floor((end - now) / 86_400_000);
  if (end <= now) return 'expired';
  return days === 1 ? '1 day' : `${count(days)} days`;
}

function sumOf(
  families: Families,
  name: string,
  takes: (labels: Readonly<Record<string, string>>) => boolean = () => true,
): number {
  let sum = 0;
  for (const [labels, value] of families.get(name) ?? []) if (takes(labels)) sum += value;
  return sum;
}

function first(families: Families, name: string): number | undefined {
  return families.get(name)?.[0]?.[1];
}
