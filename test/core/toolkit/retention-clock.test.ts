import test from 'ava';
import {type ClockState, RetentionClock} from '../../../core/toolkit/retention-clock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_700_000_000_000;

/** A machine whose clock can be set while time passes. */
class Machine {
  wall: number;
  steady = 5000;
  readonly messages: string[] = [];
  readonly clock: RetentionClock;

  constructor(state?: ClockState, newest?: number, wall = START) {
    this.wall = wall;
    const tell = (message: string) => void this.messages.push(message);
    const source = {wall: () => this.wall, steady: () => this.steady};
    this.clock = new RetentionClock(source, {debug() {}, info: tell, warn: tell, error: tell});
    this.clock.restore(state, newest);
  }

  /** Time passes, with looks at the clock; gives how much of it is believed, from the start. */
  pass(milliseconds: number): number {
    for (let left = milliseconds; left > 0; left -= MINUTE) {
      this.wall += Math.min(left, MINUTE);
      this.steady += Math.min(left, MINUTE);
      this.clock.now();
    }
    return this.clock.now() - START;
  }

  set(by: number): number {
    this.wall += by;
    return this.clock.now() - START;
  }
}

test('a clock that keeps pace is believed, and so is one that drifts or is set by less than an hour', t => {
  const machine = new Machine();
  t.is(machine.pass(3 * DAY), 3 * DAY);
  t.is(machine.set(59 * MINUTE), 3 * DAY + 59 * MINUTE);
  t.is(machine.set(-30 * MINUTE), 3 * DAY + 29 * MINUTE);
  t.is(machine.clock.doubt, undefined);
  t.deepEqual(machine.messages, []);
});

test('a jump ahead is not followed, and nothing of it is left once the clock is back', t => {
  const machine = new Machine();
  machine.pass(HOUR);
  t.is(machine.set(400 * DAY), HOUR);
  t.regex(
    machine.clock.doubt ?? '',
    /the clock says 2024-12-18T23:13:20\.000Z, where 2023-11-14T23:13:20\.000Z was expected/,
  );
  t.is(machine.pass(3000), HOUR + 3000);
  t.is(machine.set(-400 * DAY), HOUR + 3000);
  t.is(machine.clock.doubt, undefined);
  t.is(machine.pass(30 * DAY), 30 * DAY + HOUR + 3000);
  t.is(machine.messages.length, 2);
});

test('a clock that stays ahead for an hour is believed, one that jumps on meanwhile an hour after that', t => {
  const machine = new Machine();
  machine.set(30 * DAY);
  t.is(machine.pass(59 * MINUTE), 59 * MINUTE);
  machine.set(30 * DAY);
  t.is(machine.pass(59 * MINUTE), 118 * MINUTE);
  t.is(machine.pass(2 * MINUTE), 60 * DAY + 120 * MINUTE);
  t.is(machine.clock.doubt, undefined);
});

test('a clock that goes back is believed at once', t => {
  const machine = new Machine();
  t.is(machine.set(-400 * DAY), -400 * DAY);
  t.is(machine.clock.doubt, undefined);
  t.is(machine.messages.length, 1);
});

test('across restarts the doubt goes on from where it was, also when data of the future was stored meanwhile', t => {
  const first = new Machine();
  first.pass(HOUR);
  first.set(400 * DAY);
  first.pass(30 * MINUTE);
  const second = new Machine(first.clock.state, START + 400 * DAY, first.wall);
  t.is(second.clock.now() - START, 90 * MINUTE);
  t.is(second.pass(29 * MINUTE), 119 * MINUTE);
  t.is(second.pass(MINUTE), 400 * DAY + 120 * MINUTE);
});

test('without a time that was kept, the newest data tells how far the clock may be', t => {
  t.is(new Machine(undefined, START - 10 * MINUTE).clock.now(), START);
  t.is(new Machine(undefined, START + 10 * DAY).clock.now(), START);
  t.is(new Machine().clock.now(), START);
  const back = new Machine(undefined, START - 30 * DAY);
  t.is(back.clock.now(), START - 30 * DAY);
  t.is(back.pass(HOUR), HOUR, 'a machine that was off for a month');
});
