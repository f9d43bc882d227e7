import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test from 'ava';

const CHILD = fileURLToPath(new URL('../../fixtures/embedded/busy-child.js', import.meta.url));
const PARENT = `require('child_process').fork(${JSON.stringify(CHILD)}, [], {stdio: ['ignore', 'inherit', 'ignore', 'ipc']})`;

test('a check ends soon after the gateway that began it was killed, however busy it is', async t => {
  const parent = spawn(process.execPath, ['-e', PARENT], {stdio: ['ignore', 'pipe', 'inherit']});
  t.teardown(() => parent.kill('SIGKILL'));
  t.is(String((await once(parent.stdout, 'data'))[0]), 'busy\n');
  parent.kill('SIGKILL');
  // The child has the other end too: it is closed when both are gone.
  await once(parent.stdout, 'end');
  t.is(parent.signalCode, 'SIGKILL');
});
