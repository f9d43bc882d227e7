import {type Cancellable, cooperate, pause, type Steps} from '../../../core/toolkit/yielder.js';
import {toMilliseconds} from '../../diagnostics/proto/timestamp.js';
import type {AgentAnswer} from '../fan-out/fan-out.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {nodeLabels} from '../series/node-labels.js';
import type {Drop, DropReason} from '../telemetry/dropped-samples.js';
import {MessageOutline} from '../wire/message-outline.js';
import {MetricsMessageReader} from '../wire/metrics-message-reader.js';
import {readLines, type SourceFamilies} from './source-families.js';
import type {SharedLayouts} from './source-layout.js';
import type {SourceLines} from './source-lines.js';

/** What is kept of the answer that an agent gave last, and what was left out of it. */
interface Kept {
  /** Those of its node that its series carried. */
  readonly labels: RegisteredAgent['labels'];
  readonly outline: MessageOutline;
  readonly lines: SourceLines;
  readonly dropped: readonly (readonly [DropReason, string])[];
}

/**
 * Reads the latest values of agents. What an agent has said is kept but for its values, since the next answer mostly differs
 * in these alone, and then nothing else of it is read.
 */
export class KeptOutlines {
  readonly #layouts: SharedLayouts;
  readonly #kept = new WeakMap<RegisteredAgent, Kept>();

  constructor(layouts: SharedLayouts) {
    this.#layouts = layouts;
  }

  /** Rejects with a `RangeError` when the answer is damaged. */
  async read(agent: RegisteredAgent, answer: AgentAnswer, drop: Drop, call?: Cancellable): Promise<SourceFamilies> {
    // An answer by itself takes too few steps to look at the clock, and a thousand come at once.
    await pause(call);
    return cooperate(this.#read(agent, answer, drop), call);
  }

  *#read(agent: RegisteredAgent, {bytes, received}: AgentAnswer, drop: Drop): Steps<SourceFamilies> {
    const sent = new MetricsMessageReader(bytes).time();
    // The clock of a sender may go ahead of ours.
    const time = sent === undefined ? agent.registeredAt : Math.min(toMilliseconds(sent), received);
    const source = {pod: agent.podName, time};
    const kept = this.#kept.get(agent);
    const values = kept?.labels === agent.labels ? yield* kept.outline.valuesOf(bytes) : undefined;
    if (kept !== undefined && values !== undefined) {
      for (const [reason, name] of kept.dropped) drop(reason, name);
      return {...source, lines: kept.lines, values};
    }
    this.#kept.delete(agent);
    const {labels} = agent;
    const dropped: [DropReason, string][] = [];
    const read = yield* readLines(bytes, nodeLabels(agent), this.#layouts, (reason, name) => {
      dropped.push([reason, name]);
      drop(reason, name);
    });
    const outline = yield* MessageOutline.of(bytes);
    if (outline !== undefined) this.#kept.set(agent, {labels, outline, lines: read.lines, dropped});
    return {...source, ...read};
  }
}
