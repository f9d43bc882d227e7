import {randomBytes} from 'node:crypto';
import {GROUPS} from './cases/groups.js';
import {Explained} from './explain/explain.js';
import type {Group} from './group.js';
import type {AdapterUnderTest, Store} from './options.js';
import type {TestRunner} from './runner.js';
import {Subject} from './subject.js';

/**
 * Tests a storage adapter for everything that plugins rely on. This module is the package entry
 * `query-gateway/conformance`; `docs/writing-an-adapter.md` shows its use.
 *
 *     import test from 'ava';
 *     import {testAdapter} from 'query-gateway/conformance';
 *     import adapter from './adapter.js';
 *
 *     testAdapter(test, {adapter, config: {…}, expects: ['metadata.query.v1']});
 *
 * Registers one AVA test for each promise of the contract that the expected capabilities make. Tests are in groups, each
 * on a store of its own, and run one after the other.
 */
export function testAdapter(test: TestRunner, options: AdapterUnderTest): void {
  const {adapter, expects, exempt = {}, name = adapter.name} = options;
  const run = randomBytes(3).toString('hex');
  const groups = GROUPS.filter(({needs}) => needs.every(need => expects.includes(need)));
  const titles = new Set(groups.flatMap(({tests}) => Object.keys(tests)));

  test.serial(`${name}: every exemption names a test that applies`, async t => {
    t.deepEqual(
      Object.keys(exempt).filter(title => !titles.has(title)),
      [],
      'exempt has titles that no test has',
    );
  });

  const sessions: Session[] = [];
  for (const [number, group] of groups.entries()) {
    const session = new Session(options, group, `kit_${run}_${number}_${group.name}`);
    for (const [title, body] of Object.entries(group.tests)) {
      const reason = exempt[title] ?? skipReason(group, options);
      if (reason !== undefined) {
        test.serial.skip(`${name}: ${title} (${reason})`, async t => void t.pass());
        continue;
      }
      session.expectTest();
      test.serial(`${name}: ${title}`, async t => {
        await session.runTest(async subject => {
          subject.history.beginTest();
          const explained = new Explained(t, subject.history);
          await body(explained, subject).catch((error: unknown) => {
            throw explained.explained(error);
          });
        });
        t.pass();
      });
    }
    sessions.push(session);
  }
  test.after.always(`${name}: the stores of tests that were left out are removed`, async () => {
    for (const session of sessions) await session.close();
  });
}

/** Why a group cannot run on this adapter; undefined when it can. */
function skipReason({kills, restarts}: Group, {module, cannotRestart}: AdapterUnderTest): string | undefined {
  if (restarts && cannotRestart !== undefined) return cannotRestart;
  return kills && module === undefined ? 'the option module is not given' : undefined;
}

/** The store of a group: opened with its first test, closed with its last, or with the run when a test is left out. */
class Session {
  readonly #options: AdapterUnderTest;
  readonly #group: Group;
  readonly #name: string;
  #opened: Promise<Subject> | undefined;
  #remaining = 0;

  constructor(options: AdapterUnderTest, group: Group, name: string) {
    this.#options = options;
    this.#group = group;
    this.#name = name;
  }

  expectTest(): void {
    this.#remaining++;
  }

  async runTest(body: (subject: Subject) => Promise<void>): Promise<void> {
    try {
      this.#opened ??= this.#open();
      const subject = await this.#opened;
      try {
        await body(subject);
      } finally {
        // What the test itself has to say about stopping is said.
        if (this.#group.manual) await subject.stop().catch(() => undefined);
      }
    } finally {
      this.#remaining--;
      if (this.#remaining === 0) await this.close();
    }
  }

  async #open(): Promise<Subject> {
    const {config} = this.#options;
    const store: Store = typeof config === 'function' ? await config({name: this.#name}) : {config};
    const {data: all = {}, manual} = this.#group;
    const subject = new Subject(this.#options, this.#name, store, all);
    const {data} = subject;
    try {
      await subject.seed(data);
      if (manual) return subject;
      await subject.start();
      await subject.write(data);
      return subject;
    } catch (error) {
      await close(subject);
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const subject = await opened?.catch(() => undefined);
    if (subject !== undefined) await close(subject);
  }
}

async function close(subject: Subject): Promise<void> {
  // The tests of the life cycle tell of a stop that fails; no other test is to blame for it.
  await subject.stop().catch(() => undefined);
  await subject.store.remove?.();
}

export type {AdapterUnderTest, DataSet, LayoutLimit, Store} from './options.js';
export type {TestRunner} from './runner.js';
