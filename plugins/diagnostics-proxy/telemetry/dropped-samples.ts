/** Why a sample has no place in an answer. */
export const DROP_REASONS = ['reserved_name', 'time', 'bucket_bound', 'quantile'] as const;

export type DropReason = (typeof DROP_REASONS)[number];

/** Called for each sample that is left out, with the name of its series. */
export type Drop = (reason: DropReason, name: string) => void;

/** What is left out: how often for each reason, with the first series. */
export class DroppedSamples {
  readonly byReason = new Map<DropReason, {readonly name: string; count: number}>();

  readonly drop: Drop = (reason, name) => {
    const known = this.byReason.get(reason);
    if (known === undefined) this.byReason.set(reason, {name, count: 1});
    else known.count++;
  };
}

/** Whether only the proxy itself may have a series of this name. */
export function isReserved(name: string): boolean {
  return name.startsWith('diagnostics_proxy_') || name === 'diagnostics_agent_up';
}
