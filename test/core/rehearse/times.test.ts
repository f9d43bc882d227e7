import test from 'ava';
import type {AskedTimes, Rehearsal} from '../../../core/api/plugin.js';
import {moveTimes} from '../../../core/rehearse/times.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A minute before the full hour. */
const NOW = Date.parse('2026-01-02T12:59:00Z');
const seconds = (ms: number): string => String(ms / 1000);
const ago = (ms: number): string => seconds(NOW - ms);

interface Row {
  readonly what: string;
  readonly parameters: string;
  /** How long ago it was recorded; a minute unless given. */
  readonly recorded?: number;
  readonly bucket?: number;
  readonly shift?: boolean;
  readonly skipRecent?: number;
  readonly becomes: string;
  readonly changes: readonly string[];
  readonly isTooRecent?: boolean;
}

const OLD = `start=${ago(2 * HOUR)}&end=${ago(HOUR)}`;

const ROWS: readonly Row[] = [
  {what: 'what is old enough stays, verbatim', parameters: `q=%7b+x&${OLD}`, becomes: `q=%7b+x&${OLD}`, changes: []},
  {
    what: 'what asks for now is asked for the second of its recording, which is too young a minute later',
    parameters: 'q=1',
    skipRecent: 0,
    becomes: `q=1&end=${ago(MINUTE)}`,
    changes: ['given'],
  },
  {
    what: 'an empty end is none',
    parameters: 'end=',
    skipRecent: 0,
    becomes: `end=&end=${ago(MINUTE)}`,
    changes: ['given'],
  },
  {
    what: 'an end that is younger than two minutes becomes the last second of the last minute that was over then',
    parameters: `start=${ago(HOUR)}&end=${ago(0)}`,
    becomes: `start=${ago(HOUR)}&end=${ago(2 * MINUTE + 1000)}`,
    changes: ['cut'],
  },
  {
    what: 'of hours the last second of the last one that was over',
    parameters: `start=${ago(9 * HOUR)}&end=${ago(0)}`,
    bucket: HOUR,
    becomes: `start=${ago(9 * HOUR)}&end=${ago(59 * MINUTE + 1000)}`,
    changes: ['cut'],
  },
  {
    what: 'an end in the form of RFC 3339 keeps it',
    parameters: 'start=2026-01-02T10:00:00Z&end=2026-01-02T12%3A59%3A00Z',
    becomes: 'start=2026-01-02T10:00:00Z&end=2026-01-02T12:56:59.000Z',
    changes: ['cut'],
  },
  {
    what: 'a window without anything that is old enough is left out',
    parameters: `start=${ago(MINUTE)}&end=${ago(0)}`,
    becomes: `start=${ago(MINUTE)}&end=${ago(2 * MINUTE + 1000)}`,
    changes: ['cut'],
    isTooRecent: true,
  },
  {
    what: 'with 0s nothing is too young',
    parameters: `end=${ago(0)}`,
    skipRecent: 0,
    becomes: `end=${ago(0)}`,
    changes: [],
  },
  {
    what: 'a shift moves every time by the whole minutes since the recording, fractions and forms staying',
    parameters: `start=${seconds(NOW - 50 * HOUR + 250)}&end=2026-01-01T11:00:00Z&step=60`,
    recorded: 25 * HOUR + 30_000,
    shift: true,
    skipRecent: 0,
    becomes: `start=${seconds(NOW - 25 * HOUR + 250)}&end=2026-01-02T12:00:00.000Z&step=60`,
    changes: ['shifted'],
  },
  {
    what: 'what was asked for now is after a shift asked for now, but for what is too young',
    parameters: '',
    recorded: 400 * 24 * HOUR,
    shift: true,
    becomes: `end=${ago(2 * MINUTE + 1000)}`,
    changes: ['shifted', 'given', 'cut'],
  },
  {what: 'what is no time stays', parameters: 'start=x&end=soon', becomes: 'start=x&end=soon', changes: []},
  {
    what: 'braces keep what is in them one parameter',
    parameters: `q={a="x" && b="y"}&${OLD}`,
    becomes: `q={a="x" %26%26 b="y"}&${OLD}`,
    changes: [],
  },
];

for (const {
  what,
  parameters,
  recorded = MINUTE,
  bucket = MINUTE,
  shift = false,
  skipRecent = 2 * MINUTE,
  ...expected
} of ROWS) {
  test(`${what}: ${parameters}`, t => {
    const times: AskedTimes = {start: 'start', end: 'end', bucket};
    const rehearsal: Rehearsal = {times: () => times, telling: () => null};
    const route = {methods: ['GET'] as const, path: '/x', parameters: 'braces' as const};
    const moved = moveTimes(parameters, route, rehearsal, NOW - recorded, NOW, {shift, skipRecent});
    t.deepEqual(moved, {
      parameters: expected.becomes,
      changes: expected.changes,
      isTooRecent: expected.isTooRecent ?? false,
    } as never);
  });
}

test('without a word of the plugin nothing is a time', t => {
  const route = {methods: ['GET'] as const, path: '/x'};
  const moved = moveTimes('end=1', route, undefined, 0, NOW, {shift: true, skipRecent: MINUTE});
  t.deepEqual(moved, {parameters: 'end=1', changes: [], isTooRecent: false});
});
