import {setPriority} from 'node:os';
import {openForReading} from '../disk/database.js';
import {checkTable, type TableProblem, tablesOf} from './check-table.js';
import {endWithParent} from './end-with-parent.js';

/**
 * Reads a whole database and sends a message for each table in which something is damaged. A process of its own: a
 * check of many gigabytes takes minutes, in one call that nothing but the end of its process ends. Called with the folder.
 */
const LOWEST_PRIORITY = 19;

setPriority(LOWEST_PRIORITY);
endWithParent(process.ppid);
const database = openForReading(process.argv[2] ?? '');
for (const table of tablesOf(database)) {
  const problem = checkTable(database, table);
  if (problem !== undefined) process.send?.({table, problem} satisfies TableProblem);
}
database.close();
