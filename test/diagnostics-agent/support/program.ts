import {spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {type Owner, Run} from '../../support/gateway.js';

/** The compiled program: what `npx diagnostics-agent` runs. */
const PROGRAM = fileURLToPath(new URL('../../../diagnostics-agent/cli.js', import.meta.url));

/** Runs the agent as a process of its own; killed at the end of the test. */
export function runProgram(t: Owner, ...words: readonly string[]): Run {
  const child = spawn(process.execPath, [PROGRAM, ...words], {stdio: ['ignore', 'pipe', 'pipe']});
  const run = new Run('', child);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await run.exit;
  });
  return run;
}
