import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Problem} from '../config/config-error.js';

/** Why the file of an option cannot be made where it is to be. A command may take hours: that is told before. */
export async function unwritableProblems(option: string, file: string): Promise<readonly Problem[]> {
  try {
    await access(dirname(file), constants.W_OK);
    return [];
  } catch (error) {
    return [{path: option, message: `${file} cannot be written: ${(error as Error).message}`}];
  }
}
