/** An agent as the diagnostics proxy lists it. */
export interface FleetAgent {
  readonly agent_id: string;
  readonly pod_name: string;
  readonly node_role: string;
  readonly container_names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly status: string;
  readonly last_heartbeat: string;
}

export interface FleetTopology {
  readonly nodes?: readonly {
    readonly metadata?: {readonly name?: string};
    readonly roles?: readonly string[];
    readonly status?: string;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
  readonly calls?: readonly {readonly source: string; readonly target: string}[];
}

interface Duration {
  readonly unit?: string;
  readonly num?: number;
}

export interface FleetLifecycle {
  readonly groups?: readonly {
    readonly name: string;
    readonly catalog?: string;
    readonly resource_opts?: {
      readonly shard_num?: number;
      readonly ttl?: Duration;
      readonly stages?: readonly {readonly name: string; readonly ttl?: Duration}[];
    };
    readonly data_info?: readonly {readonly data_size_bytes?: string | number}[];
  }[];
  readonly lifecycle_statuses?: readonly {
    readonly pod_name: string;
    readonly reports: readonly {readonly filename: string; readonly report_json: string}[];
  }[];
}

export interface WindowSeries {
  readonly name: string;
  readonly description?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod_name: string;
  readonly data: readonly {readonly timestamp: string; readonly value: number | string}[];
}

/** A role without what all roles begin with. */
export const roleText = (role: string): string => role.replace(/^ROLE_/, '').toLowerCase();

export function durationText(duration: Duration | undefined): string {
  if (duration?.num === undefined) return '';
  const unit = (duration.unit ?? '').replace(/^UNIT_/, '').toLowerCase();
  return `${duration.num} ${unit}${duration.num === 1 ? '' : 's'}`;
}
