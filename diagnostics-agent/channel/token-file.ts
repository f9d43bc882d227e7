import type {FileSet} from '../../core/toolkit/files/file-set.js';

/** What a header can carry. */
const TOKEN = /^[!-~]+$/;

/** A file that holds a token and nothing else but blanks around it. `key` is what messages call the one who names it. */
export function tokenFile(path: string, key: string): FileSet<string> {
  return {
    files: [{key, path}],
    parse([content]) {
      const value = String(content).trim();
      if (TOKEN.test(value)) return {value};
      const problem = value === '' ? 'is empty' : 'holds blanks or characters that a token cannot have';
      return {mistakes: [{key, message: `names ${path}, which ${problem}`}]};
    },
  };
}
