import {Worker} from 'node:worker_threads';

/**
 * Ends this process soon after the end of the process that has started it, whatever its main thread is busy with: who is killed
 * cannot end its children. `parent` is the id that the starting process has told, so that one which was killed before this call
 * is missed too. The thread that looks keeps the process from ending by no means.
 */
export function endWithParent(parent: number): void {
  new Worker(new URL('watch-parent.js', import.meta.url), {workerData: parent, execArgv: []}).unref();
}
