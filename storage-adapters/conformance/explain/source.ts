import {existsSync, readFileSync} from 'node:fs';
import {SourceMap} from 'node:module';
import {dirname, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The compiled kit, and its source, which is in the package too. */
const COMPILED = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = resolve(COMPILED, '../../../storage-adapters/conformance');

interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The line of the kit's test from which a stack comes, with the lines around it; undefined when there is none. */
export function testIn(stack: string): string | undefined {
  const frames = [...stack.matchAll(/(?:\(|at )(?:async )?((?:file:\/\/)?\/[^()\n]+?):(\d+):(\d+)\)?$/gm)];
  for (const [, path = '', line = '', column = ''] of frames) {
    const compiled = path.startsWith('file:') ? fileURLToPath(path) : path;
    const place = sourceOf(compiled, Number(line), Number(column));
    if (place !== undefined && relative(resolve(SOURCE, 'cases'), place.file).startsWith('..') === false) {
      return excerpt(place);
    }
  }
  return undefined;
}

function sourceOf(file: string, line: number, column: number): Place | undefined {
  if (file.startsWith(SOURCE) && file.endsWith('.ts')) return {file, line};
  if (!file.startsWith(COMPILED) || !existsSync(`${file}.map`)) return undefined;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  const found = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in found)) return undefined;
  return {file: resolve(dirname(file), found.originalSource), line: found.originalLine + 1};
}

function excerpt({file, line}: Place): string {
  const title = `${relative('', file)}:${line}`;
  if (!existsSync(file)) return title;
  const lines = readFileSync(file, 'utf8').split('\n');
  const first = Math.max(1, line - 3);
  const shown = lines.slice(first - 1, line + 2).map((text, i) => {
    const number = first + i;
    return `${number === line ? '>' : ' '} ${String(number).padStart(4)} | ${text}`;
  });
  return [title, ...shown].join('\n');
}
