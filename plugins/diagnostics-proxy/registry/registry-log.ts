import {status} from '@grpc/grpc-js';
import type {Logger} from '../../../core/api/plugin.js';
import type {LogOnce} from '../../../core/toolkit/log-once.js';
import {REPLACED} from '../../diagnostics/proto/contract.js';
import type {RegistryEvents} from './agent-registry.js';
import type {RegisteredAgent} from './registered-agent.js';

const MINUTE = 60_000;
/** Lines of a minute beside those that as many agents as there is room for may cause. */
const SPARE_LINES = 200;

/**
 * Says what happens to agents. Of one agent each thing is said once a minute, and of all together no more than a few lines
 * for each agent that there is room for: names that are made up, or a program that fails again and again, fill no disk.
 */
export class RegistryLog implements RegistryEvents {
  readonly #log: Logger;
  readonly #once: LogOnce;
  readonly #mostLines: number;
  readonly #changed: () => void;
  #minute = 0;
  #lines = 0;

  /** `changed` is called when the number of agents that are online or offline may be another one. */
  constructor(log: Logger, once: LogOnce, maxAgents: number, changed: () => void) {
    this.#log = log;
    this.#once = once;
    this.#mostLines = SPARE_LINES + 4 * maxAgents;
    this.#changed = changed;
  }

  activated(agent: RegisteredAgent, former: RegisteredAgent | undefined): void {
    if (former === undefined) this.#tell('an agent has registered', agent);
    else this.#tell('an agent takes the place of another registration of its pod and containers', agent);
  }

  contested({podName, containerNames, identity}: RegisteredAgent): void {
    if (!this.#once.begins(`contested ${identity}`)) return;
    this.#log.warn(
      'agents with the same --pod-name and --container-names are connected at the same time; only the one that came last is asked; each needs names of its own',
      {pod: podName, container_names: containerNames},
    );
  }

  discarded(agent: RegisteredAgent): void {
    for (const call of agent.calls) call.fail(status.ABORTED, REPLACED);
  }

  removed(agent: RegisteredAgent, why: 'offline' | 'full'): void {
    this.#once.ends(`contested ${agent.identity}`);
    if (why === 'offline') this.#tell('an agent was offline too long and is removed', agent);
    else this.#tell('an agent that has left is removed, because the registry is full', agent);
  }

  wentOffline(agent: RegisteredAgent): void {
    this.#tell('an agent has sent no heartbeat and is offline', agent);
  }

  cameBack(agent: RegisteredAgent): void {
    this.#tell('an agent is online again', agent);
  }

  /** A registration was refused. `about`: by what the same thing is known again. */
  refused(about: string, reason: string, fields: Readonly<Record<string, unknown>>): void {
    if (!this.#once.begins(`refused ${about}`, reason) || !this.#hasLine()) return;
    this.#log.warn('a registration was refused', {...fields, reason});
  }

  /** A registration was taken that may have been refused before. */
  taken({podName}: RegisteredAgent): void {
    const refusals = this.#once.ends(`refused ${podName}`);
    if (refusals > 0 && this.#hasLine()) {
      this.#log.info('a pod that was refused is registered', {pod: podName, refusals});
    }
  }

  #tell(message: string, {id, podName, nodeRole, containerNames, identity}: RegisteredAgent): void {
    this.#changed();
    const isFirst = this.#once.begins(`${message} ${identity}`, String(minuteNow()));
    const level = isFirst && this.#hasLine() ? 'info' : 'debug';
    this.#log[level](message, {agent_id: id, pod: podName, role: nodeRole, container_names: containerNames});
  }

  /** Whether another line may be written in this minute. */
  #hasLine(): boolean {
    const minute = minuteNow();
    if (minute !== this.#minute) this.#lines = 0;
    this.#minute = minute;
    if (++this.#lines === this.#mostLines) {
      this.#log.warn('agents come and go faster than is logged; what else happens in this minute is left out', {
        lines: this.#mostLines,
      });
    }
    return this.#lines < this.#mostLines;
  }
}

const minuteNow = (): number => Math.floor(performance.now() / MINUTE);
