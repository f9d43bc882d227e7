import type {Run} from '../../support/gateway.js';

export const NOT_AGAIN = 'the configuration is not read again while the program runs: a restart is needed';

/** What a hang-up does to a program that runs: a line, and nothing that its clients see. */
export async function hangUp(program: Run, line = NOT_AGAIN): Promise<void> {
  program.process.kill('SIGHUP');
  await program.logged(line);
}
