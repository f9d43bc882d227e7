import {appendFileSync, readFileSync} from 'node:fs';
import test, {registerCompletionHandler} from 'ava';

/**
 * AVA requires this file in the thread of each test file. Where the environment names a file in `TEST_TIMES`, a line for
 * each test file is appended to it: seconds, seconds of processor, the path, with tabs between. The processor is that of the
 * process and of the children that it has waited for: of the file alone where each has a process of its own
 * (`--no-worker-threads`), and of all that ran beside it otherwise.
 */
const file = process.env.TEST_TIMES;
const begun = performance.now();
const processorBefore = file === undefined ? 0 : processorSeconds();
if (file !== undefined) {
  registerCompletionHandler(() => {
    const path = decodeURIComponent(test.meta.file.replace(/^.*\/dist\/test\//, 'test/'));
    const seconds = (performance.now() - begun) / 1000;
    appendFileSync(file, `${seconds.toFixed(1)}\t${(processorSeconds() - processorBefore).toFixed(1)}\t${path}\n`);
  });
}

/** What Linux has counted in hundredths of a second: utime, stime, cutime and cstime. The name before them may hold blanks. */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
