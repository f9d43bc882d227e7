import {fileURLToPath} from 'node:url';
import {type Owner, type Run, runNode} from '../../support/gateway.js';

/** The compiled program: what `npx diagnostics-agent` runs. */
const PROGRAM = fileURLToPath(new URL('../../../diagnostics-agent/cli.js', import.meta.url));

/** Runs the agent as a process of its own; killed at the end of the test. */
export function runProgram(t: Owner, ...words: readonly string[]): Run {
  return runNode(t, [PROGRAM, ...words]);
}
