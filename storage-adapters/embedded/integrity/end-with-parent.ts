import {Worker} from 'node:worker_threads';

/**
 * Ends this process soon after the end of its parent, whatever its main thread is busy with: who is killed cannot end its
 * children. The thread that looks keeps the process from ending by no means.
 */
export function endWithParent(parent: number): void {
  new Worker(new URL('watch-parent.js', import.meta.url), {workerData: parent, execArgv: []}).unref();
}
