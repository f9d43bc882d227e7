import {loadDefinition} from '../../../core/host/load-module.js';
import type {AdapterUnderTest} from '../options.js';
import {Subject} from '../subject.js';
import {DECLARATIONS, ROUNDS, type Written} from './rounds.js';

/** What the process is told, once. */
export interface WriterOrder {
  readonly module: string;
  readonly config: unknown;
  readonly expects: AdapterUnderTest['expects'];
  readonly what: Written;
  readonly first: number;
}

/** What it tells: the number of each round once it is acknowledged, or why it cannot go on. */
export type WriterReport = {readonly acknowledged: number} | {readonly failed: string};

/**
 * The process that the kit kills: opens the adapter and writes one round after the other, telling which are acknowledged,
 * until its end comes.
 */
async function writeOn({module, config, expects, what, first}: WriterOrder): Promise<void> {
  const adapter = await loadDefinition('storage-adapter', module, {}, process.cwd());
  const subject = new Subject({adapter, config: {}, expects}, 'writer', {config}, {});
  await subject.start();
  await subject.write(DECLARATIONS[what]);
  for (let round = first; ; round++) {
    await subject.write(ROUNDS[what](round));
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
