import {loadDefinition} from '../../../core/config/load-module.js';
import type {AdapterUnderTest} from '../options.js';
import {Subject} from '../subject.js';
import type {RoundSubject} from './rounds.js';
import {writeRound} from './written.js';

/** What the process is told, once. */
export interface WriterOrder {
  readonly module: string;
  readonly config: unknown;
  readonly expects: AdapterUnderTest['expects'];
  readonly unsupported: AdapterUnderTest['unsupported'];
  readonly what: RoundSubject;
  readonly first: number;
}

/** What it tells: the number of each round once it is acknowledged, or why it cannot go on. */
export type WriterReport = {readonly acknowledged: number} | {readonly failed: string};

/**
 * The process that the kit kills: opens the adapter and writes one round after the other, telling which are acknowledged,
 * until its end comes.
 */
async function writeOn({module, config, expects, unsupported = [], what, first}: WriterOrder): Promise<void> {
  const adapter = await loadDefinition('storage-adapter', module, {}, process.cwd());
  const subject = new Subject({adapter, config: {}, expects, unsupported}, 'writer', {config}, {});
  await subject.start();
  for (let round = first; ; round++) {
    await writeRound(subject, what, round);
    tell({acknowledged: round});
  }
}

function tell(report: WriterReport): void {
  process.send?.(report);
}

process.once('disconnect', () => process.exit(0));
process.once('message', (order: WriterOrder) => {
  writeOn(order).catch((error: unknown) => tell({failed: error instanceof Error ? error.message : String(error)}));
});
