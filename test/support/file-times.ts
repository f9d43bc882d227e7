import {appendFileSync} from 'node:fs';
import test, {registerCompletionHandler} from 'ava';

/**
 * AVA requires this file in the thread of each test file. Where the environment names a file in `TEST_TIMES`, a line for
 * each test file is appended to it: seconds, a tab, the path.
 */
const file = process.env.TEST_TIMES;
const begun = performance.now();
if (file !== undefined) {
  registerCompletionHandler(() => {
    const path = decodeURIComponent(test.meta.file.replace(/^.*\/dist\/test\//, 'test/'));
    appendFileSync(file, `${((performance.now() - begun) / 1000).toFixed(1)}\t${path}\n`);
  });
}
