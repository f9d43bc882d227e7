import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative, resolve, sep} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The tests run compiled, from `dist/test`; what they read is the source. */
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const SOURCE_FOLDERS = ['core', 'plugins', 'storage-adapters', 'diagnostics-agent', 'bench', 'test'];
export const PRODUCT = /^(core|plugins|storage-adapters|diagnostics-agent)\//;

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Imported modules: files of ours as paths from the root with `.ts`, packages by their name. */
  readonly imports: readonly string[];
}

function listFiles(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(ROOT, folder), {withFileTypes: true})) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') found.push(...listFiles(path));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

function importsOf(path: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const specifiers = [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g)].map(
    match => match[1] ?? '',
  );
  return specifiers.map(specifier => {
    if (!specifier.startsWith('.')) return packageName(specifier);
    const target = relative(ROOT, resolve(ROOT, dirname(path), specifier))
      .split(sep)
      .join('/');
    const file = target.replace(/\.js$/, '.ts');
    return existsSync(join(ROOT, `${file}x`)) ? `${file}x` : file;
  });
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const existing = new Set(readdirSync(ROOT));
const allFiles = SOURCE_FOLDERS.filter(folder => existing.has(folder)).flatMap(listFiles);
export const files: readonly SourceFile[] = allFiles
  .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  .map(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return {path, text, imports: importsOf(path, text)};
  });
export const product = files.filter(file => PRODUCT.test(file.path));

/** Without comments: what a rule is about is code. */
export const codeOf = (file: SourceFile): string =>
  file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

export const isGenerated = (path: string): boolean => path.includes('.generated.');
