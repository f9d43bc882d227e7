import type {ComponentStatus, GatewayStatus, PluginStatus, State, WorkerStatus} from '../api/status.js';

/** From the worst on. */
const RANKS: readonly State[] = ['failed', 'stopped', 'stopping', 'starting', 'degraded', 'disabled', 'ok'];

export interface WorkerAnswer {
  readonly worker: WorkerStatus;
  /** Undefined of one that does not answer. */
  readonly status: GatewayStatus | undefined;
}

/** The status of all processes as of one gateway. `isOnce` tells of a plugin, by its place, that only the first runs it. */
export function statusTogether(
  own: Pick<GatewayStatus, 'gateway' | 'reload'>,
  answers: readonly WorkerAnswer[],
  isOnce: (at: number) => boolean,
): GatewayStatus {
  const all = answers.flatMap(({status}) => (status === undefined ? [] : [status]));
  const [first] = answers;
  const pluginOf = (plugin: PluginStatus, at: number): PluginStatus => {
    if (!isOnce(at)) return worst(all.flatMap(({plugins}) => plugins[at] ?? [])) ?? plugin;
    const there = first?.status?.plugins[at];
    return there ?? {...plugin, state: 'degraded', message: `${first?.worker.name}, which runs it, is not there`};
  };
  return {
    ...own,
    storage: worst(all.flatMap(({storage}) => storage ?? [])) ?? null,
    plugins: all[0]?.plugins.map(pluginOf) ?? [],
    workers: answers.map(({worker}) => worker),
  };
}

function worst<Status extends ComponentStatus>(all: readonly Status[]): Status | undefined {
  const rank = ({state}: Status): number => RANKS.indexOf(state);
  return [...all].sort((a, b) => rank(a) - rank(b))[0];
}
