/**
 * Makes one file of each script that a thread of the embedded storage runs, in its place. A thread loads all that it runs
 * anew, and a hundred small files take it longer than the storage takes to open.
 */
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const folder = fileURLToPath(new URL('../dist/storage-adapters/embedded/worker', import.meta.url));

await build({
  entryPoints: ['reader.js', 'writer.js'].map(name => join(folder, name)),
  outdir: folder,
  allowOverwrite: true,
  bundle: true,
  // Packages stay where they are installed.
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  // As the compiler's maps have none.
  sourcesContent: false,
  logLevel: 'warning',
});
