/** Why a sample has no place in an answer. */
export type DropReason = 'reserved_name' | 'time' | 'bucket_bound' | 'quantile';

/** Called for each sample that is left out, with the name of its series. */
export type Drop = (reason: DropReason, name: string) => void;

/** Whether only the proxy itself may have a series of this name. */
export function isReserved(name: string): boolean {
  return name.startsWith('diagnostics_proxy_') || name === 'diagnostics_agent_up';
}
