import type {TestFn} from 'ava';
import {CAPABILITY_NAMES, type CapabilityName} from '../../../core/api/adapter.js';
import type {Broken} from '../../fixtures/broken/broken.js';
import {memoryStore} from '../../fixtures/memory-adapter.js';
import {runKit} from './recorder.js';

/**
 * Tests that say of thousands what others say of few: most of the time of a run, and no news of an adapter that breaks another
 * rule. One that has to fail there, or may, runs them.
 */
const LARGE = /thousand|may be left early, many times$/;

/** Tests of which a brief run may not come upon a broken rule. */
const RANDOM = /^(a random history|random questions) /;

/** Registers a test for each adapter that is broken: the kit fails where it should, and nowhere else. */
export function expectFailures(test: TestFn, broken: readonly Broken[], expects: readonly CapabilityName[]): void {
  const without = CAPABILITY_NAMES.filter(name => !expects.includes(name));
  for (const {breaks, adapter, fails, also = []} of broken) {
    test.serial(`an adapter that ${breaks} is found out`, async t => {
      const titles = [fails, ...also.filter(one => typeof one === 'string')];
      const patterns = also.filter(one => one instanceof RegExp);
      const mayFail = (title: string): boolean => titles.includes(title) || patterns.some(one => one.test(title));
      const brief = !titles.some(title => RANDOM.test(title));
      const {failed} = await runKit(
        {adapter, config: ({name}) => memoryStore(name, without), expects, brief},
        {test: title => !LARGE.test(title) || mayFail(title)},
      );
      const others = [...failed.keys()].filter(title => !patterns.some(pattern => pattern.test(title)));
      t.deepEqual([...new Set([...others, fails])].sort(), titles.sort());
      t.true(failed.has(fails));
    });
  }
}
