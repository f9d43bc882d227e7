import {readFileSync} from 'node:fs';

/** Resident megabytes of a process, without pages that belong to files, which the system can take back. */
export function anonymousMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

const TICKS_PER_SECOND = 100;

/** Of all threads of a process so far; 0 of one that has ended. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
