import {setTimeout as sleep} from 'node:timers/promises';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import type {Group} from '../group.js';
import {within} from '../within.js';

export const lifecycle: Group = {
  name: 'lifecycle',
  needs: [],
  manual: true,
  tests: {
    'stop is safe without start': async (t, subject) => {
      const instance = subject.create();
      const {status} = await within('stop', instance.stop());
      t.is(status, 'fulfilled', 'stop without start');
    },
    'stop is safe twice, and at the same time': async (t, subject) => {
      const instance = subject.create();
      await instance.start(call.signal);
      const outcomes = [...(await Promise.all([1, 2].map(() => within('stop', instance.stop()))))];
      outcomes.push(await within('stop', instance.stop()));
      t.deepEqual(
        outcomes.map(({status}) => status),
        ['fulfilled', 'fulfilled', 'fulfilled'],
        'stop, three times',
      );
    },
    'another instance starts where one has stopped, and supplies the same': async (t, subject) => {
      const supplied = async () => {
        await subject.restart();
        return CAPABILITY_NAMES.filter(name => subject.readers[name] !== undefined);
      };
      const first = await supplied();
      for (let round = 2; round <= 3; round++) t.deepEqual(await supplied(), first, `capabilities at start ${round}`);
    },
    'a start that is aborted ends, and the next one is not hindered by it': async (t, subject) => {
      for (const delay of [undefined, 0, 1, 10]) {
        const instance = subject.create();
        const controller = new AbortController();
        if (delay === undefined) controller.abort(new Error('the start is no longer wanted'));
        const starting = instance.start(controller.signal);
        // Looked at below; a rejection that comes before must not end the process.
        starting.catch(() => undefined);
        if (delay !== undefined) {
          await sleep(delay);
          controller.abort(new Error('the start is no longer wanted'));
        }
        await within('the start', starting);
        const {status} = await within('stop', instance.stop());
        t.is(status, 'fulfilled', 'stop after an aborted start');
      }
      await subject.start();
    },
    'a healthy backend is reported as such': async (t, subject) => {
      const instance = subject.create();
      await instance.start(call.signal);
      t.is((await instance.health(call.signal)).status, 'ok', 'health');
    },
    'health never rejects, not when it is no longer waited for either': async (t, subject) => {
      const instance = subject.create();
      await instance.start(call.signal);
      const asked = await within('health', instance.health(AbortSignal.abort(new Error('enough'))));
      t.is(asked.status, 'fulfilled', 'health with an aborted signal');
    },
  },
};
