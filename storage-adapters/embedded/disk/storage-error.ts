import {GatewayError} from '../../../core/api/adapter.js';

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full; free some space or shorten the retention',
  SQLITE_NOTADB: 'it is not a database; choose another folder as the path, or restore the file',
  SQLITE_CORRUPT: 'it is damaged; restore it from a copy, or move it away to begin anew',
  SQLITE_CANTOPEN: 'it cannot be opened; check its permissions',
  SQLITE_READONLY: 'it cannot be written; check its permissions',
  SQLITE_PERM: 'it cannot be accessed; check its permissions',
};

/** Values are not what was written: reported as what the database itself finds damaged. */
export class DamagedValues extends Error {
  readonly code = 'SQLITE_CORRUPT_VALUES';
}

/** What the database reported, in words that name the file. */
export function storageError(error: unknown, file: string): GatewayError {
  if (GatewayError.is(error)) return error;
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const reason = Object.entries(REASONS).find(([prefix]) => code.startsWith(prefix))?.[1];
  return new GatewayError('storage_failed', `the database ${file} failed: ${reason ?? text} (${code || 'no code'})`, {
    cause: error,
  });
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
