import {parentPort} from 'node:worker_threads';
import {compareSync} from 'bcryptjs';

/** A thread of its own for bcrypt, of which one check takes a tenth of a second and could not be interrupted. */
export interface BcryptQuestion {
  readonly password: string;
  readonly hash: string;
}

parentPort?.on('message', ({password, hash}: BcryptQuestion) => {
  parentPort?.postMessage(compareSync(password, hash));
});
