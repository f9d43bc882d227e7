import {execFileSync} from 'node:child_process';
import type {ExecutionContext, TestFn} from 'ava';

/** Debian's package of each program that a suite may start. */
const PACKAGES = {promtool: 'prometheus', prometheus: 'prometheus', ss: 'iproute2'} as const;

export type Program = keyof typeof PACKAGES;

function isInstalled(program: Program): boolean {
  try {
    execFileSync(program, ['--version'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

/**
 * Declares a test that runs a real program of another project. Where the program is missing the test is reported as
 * skipped, with the reason in its title; with `REQUIRE_SERVERS=1`, as in CI, it fails instead.
 */
export function testWith(
  test: TestFn,
  program: Program,
  title: string,
  body: (t: ExecutionContext) => Promise<void>,
): void {
  if (isInstalled(program)) {
    test(title, body);
  } else if (process.env.REQUIRE_SERVERS === '1') {
    test(title, t => t.fail(`${program} is not installed (Debian package ${PACKAGES[program]})`));
  } else {
    test.skip(`${title} (skipped: ${program} is not installed, Debian package ${PACKAGES[program]})`, body);
  }
}
