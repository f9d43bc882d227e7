import {appendFileSync, readFileSync} from 'node:fs';
import {isMainThread} from 'node:worker_threads';
import test, {registerCompletionHandler} from 'ava';

/**
 * AVA requires this file in the thread or process of each test file. Where the environment names a file in `TEST_TIMES`, a line
 * for each test file is appended to it: seconds, a tab, the path. With `--no-worker-threads` the seconds of processor come
 * between them, of the process and of the children that it has waited for; Linux alone tells these. A thread has none of its
 * own: its process counts every file that runs beside it.
 */
const file = process.env.TEST_TIMES;
const begun = performance.now();
if (file !== undefined) {
  registerCompletionHandler(() => {
    const path = decodeURIComponent(test.meta.file.replace(/^.*\/dist\/test\//, 'test/'));
    const seconds = (performance.now() - begun) / 1000;
    const processor = isMainThread ? [processorSeconds()] : [];
    appendFileSync(file, `${[seconds, ...processor].map(each => each.toFixed(1)).join('\t')}\t${path}\n`);
  });
}

/** What Linux has counted in hundredths of a second: utime, stime, cutime and cstime. The name before them may hold blanks. */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
