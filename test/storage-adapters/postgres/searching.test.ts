import test from 'ava';
import {testWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {readsWhatMatches, readsWhatMatchesOfOtlp} from '../support/large-trace.js';
import {Harness} from './harness.js';

const server = sharedPostgres(test);

testWith(
  test,
  'postgres',
  'of a large trace only what matches is read, with its root and extent as they are now',
  async t => {
    const harness = await Harness.open(t, await server());
    await readsWhatMatches(t, harness);
    await readsWhatMatchesOfOtlp(t, harness);
  },
);
