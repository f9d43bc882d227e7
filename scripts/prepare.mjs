/**
 * Builds after `npm ci`. npm also runs this before the first `npx query-gateway` in the repository, because it links the
 * package into its cache then: what is built already stays, and whoever runs from it is not disturbed.
 */
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';

const isLinkedByNpx = process.env.npm_command === 'exec';
if (!isLinkedByNpx || !existsSync('dist/core/cli/main.js')) {
  execFileSync('npm', ['run', 'build'], {stdio: 'inherit', shell: process.platform === 'win32'});
}
