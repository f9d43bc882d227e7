import {getPriority} from 'node:os';
import {Worker} from 'node:worker_threads';
import test from 'ava';

const SCRIPT = `
import {getPriority} from 'node:os';
import {parentPort, workerData} from 'node:worker_threads';
const {giveWay} = await import(workerData);
const before = getPriority();
giveWay();
parentPort.postMessage([before, getPriority()]);
`;

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a thread that gives way has a lower priority than before, and the others have theirs', async t => {
  const own = getPriority();
  const module = new URL('../../../../storage-adapters/embedded/threads/give-way.js', import.meta.url).href;
  const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);
  const worker = new Worker(script, {workerData: module});
  const [before, after] = await new Promise<readonly [number, number]>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  t.is(before, own);
  t.is(after, Math.min(own + 5, 19));
  t.is(getPriority(), own);
});
