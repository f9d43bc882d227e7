/**
 * Links the programs of this package into its own `node_modules/.bin`, as npm does for a package's dependencies. Without
 * that, `npx query-gateway` in the repository packs and builds the package once more before it runs it.
 */
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {join, relative, resolve} from 'node:path';

const root = resolve(import.meta.dirname, '..');
const {bin} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = join(root, 'node_modules', '.bin');
if (existsSync(join(root, 'node_modules'))) {
  mkdirSync(folder, {recursive: true});
  for (const [name, path] of Object.entries(bin)) {
    chmodSync(join(root, path), 0o755);
    rmSync(join(folder, name), {force: true});
    symlinkSync(relative(folder, join(root, path)), join(folder, name));
  }
}
