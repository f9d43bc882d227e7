/**
 * Bundles the pages of the console into `dist/plugins/console/web`: files whose names hold the hash of their content, each
 * with its compressed form beside it, and a manifest by which the plugin knows them.
 */
import {createHash} from 'node:crypto';
import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {basename, extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {build} from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'plugins/console/web');
const target = join(root, 'dist/plugins/console/web');
const assets = join(target, 'assets');

const TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  outdir: assets,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  tsconfig: join(source, 'tsconfig.json'),
};

await rm(assets, {recursive: true, force: true});
await mkdir(assets, {recursive: true});

const nameOf = (result, entry) =>
  basename(Object.entries(result.metafile.outputs).find(([, {entryPoint}]) => entryPoint?.endsWith(entry))[0]);

// The pages ask for the worker by its name, which they have to know when they are bundled.
const worker = await build({...common, entryPoints: [join(source, 'layout-worker.ts')]});

const pages = await build({
  ...common,
  define: {LAYOUT_WORKER: JSON.stringify(nameOf(worker, 'layout-worker.ts'))},
  entryPoints: {console: join(source, 'main.tsx')},
  splitting: true,
});

const hashed = async (name, content) => {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const file = `${basename(name, extname(name))}-${hash}${extname(name)}`;
  await writeFile(join(assets, file), content);
  return file;
};
const icon = await hashed('icon.svg', await readFile(join(source, 'icon.svg')));
const licenses = await hashed('licenses.txt', await licensesOf([worker, pages]));

const script = nameOf(pages, 'web/main.tsx');
const entry = pages.metafile.outputs[Object.keys(pages.metafile.outputs).find(path => basename(path) === script)];
const preload = entry.imports.filter(({kind}) => kind === 'import-statement').map(({path}) => basename(path));
const files = {};
for (const name of await readdir(assets)) {
  files[name] = TYPES[extname(name)];
  await writeFile(join(assets, `${name}.gz`), gzipSync(await readFile(join(assets, name)), {level: 9}));
}
const manifest = {script, style: basename(entry.cssBundle), icon, licenses, preload, files};
await writeFile(join(target, 'manifest.json'), JSON.stringify(manifest, null, 2));

/** The licences of the packages that are in the bundle, which ask to be passed on with it. */
async function licensesOf(results) {
  const inputs = results.flatMap(({metafile}) => Object.keys(metafile.inputs));
  // With links resolved a package may lie anywhere: its name follows the last node_modules.
  const folders = new Map();
  for (const path of inputs) {
    const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path);
    if (match !== null) folders.set(match[2], join(root, match[1]));
  }
  const texts = [];
  for (const [name, folder] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const {version, license} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find(each => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
    texts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${'-'.repeat(78)}\n\n`);
}
