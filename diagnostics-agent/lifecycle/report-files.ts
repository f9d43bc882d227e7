import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {LifecycleReport} from '../../plugins/diagnostics/proto/contract.js';
import {reasonOf} from '../error-reason.js';
import type {Trouble} from '../telemetry/trouble-log.js';

const MOST_REPORTS = 5;
const LARGEST_REPORT = 5 * 2 ** 20;

/**
 * The newest reports of a folder: the last five by name, which begins with the time. Reports that are too large or that
 * cannot be read do not count, which is added to `troubles`; `excluded` ones neither. So is a folder that is not there
 * or cannot be read: it holds none.
 */
export async function readReports(
  folder: string,
  excluded: ReadonlySet<string>,
  troubles: Trouble[],
): Promise<LifecycleReport[]> {
  const reports: LifecycleReport[] = [];
  for (const filename of await listReports(folder, troubles)) {
    if (excluded.has(filename)) continue;
    const report_json = await readReport(join(folder, filename), troubles);
    if (report_json !== undefined) reports.push({filename, report_json});
    if (reports.length === MOST_REPORTS) break;
  }
  return reports;
}

/** Newest first. */
async function listReports(folder: string, troubles: Trouble[]): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, {withFileTypes: true});
    const names = entries.filter(entry => !entry.isDirectory() && entry.name.endsWith('.json')).map(({name}) => name);
    return names.sort().reverse();
  } catch (error) {
    const fields = {'--lifecycle-report-dir': folder, reason: reasonOf(error)};
    troubles.push({message: 'the folder of the lifecycle reports cannot be read', fields, key: folder});
    return [];
  }
}

async function readReport(file: string, troubles: Trouble[]): Promise<string | undefined> {
  try {
    const {size} = await stat(file);
    if (size <= LARGEST_REPORT) return await readFile(file, 'utf8');
    const fields = {file, bytes: size, most: LARGEST_REPORT};
    troubles.push({message: 'a lifecycle report is left out, it is too large', fields, key: `large: ${file}`});
  } catch (error) {
    const fields = {file, reason: reasonOf(error)};
    troubles.push({message: 'a lifecycle report cannot be read', fields, key: `unreadable: ${file}`});
  }
  return undefined;
}
