import type {FlagTable} from './parse.js';

/** The flags of a program, one on each line, in alphabetical order. */
export function usage(program: string, table: FlagTable): string {
  const rows = Object.entries(table)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, {kind, default: value, help, letter}]) => {
      const head = `${letter === undefined ? '      ' : `  -${letter}, `}--${name} ${kind.word}`.trimEnd();
      const shown = kind.print(value);
      return [head, shown === '' ? help : `${help} (default ${shown})`] as const;
    });
  const width = Math.max(...rows.map(([head]) => head.length)) + 3;
  const lines = rows.map(([head, help]) => `${head.padEnd(width)}${help}\n`);
  return `Usage:\n  ${program} [flags]\n\nFlags:\n${lines.join('')}`;
}
