import {readFileSync} from 'node:fs';

/** Resident megabytes of a process, without pages that belong to files, which the system can take back. */
export function anonymousMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
