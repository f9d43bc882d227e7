import {
  type AskedTimes,
  Measured,
  type Parameters,
  type Rehearsal,
  type RehearsedAnswer,
  STEP_SECONDS,
  type Telling,
} from '../../core/api/plugin.js';
import {MS_PER_SECOND, SECONDS_PER_HOUR} from '../../core/toolkit/time.js';
import {bucketStepOf} from './http/topology.js';

function times(_route: string, parameters: Parameters): AskedTimes {
  const range = Number(parameters.first('range') ?? SECONDS_PER_HOUR);
  return {end: 'end', bucket: STEP_SECONDS[bucketStepOf(range)] * MS_PER_SECOND};
}

/** Means of metrics, of a node and of a line; the window and the names have to be the same. */
const MEASURED: readonly string[] = ['calls', 'errors', 'latency'];

function telling({body}: RehearsedAnswer): Telling {
  return JSON.parse(Buffer.from(body).toString(), (key, value) =>
    MEASURED.includes(key) && typeof value === 'number' ? new Measured(String(value)) : value,
  );
}

/** How what the pages ask of the storage is asked of another one. */
export const rehearsal: Rehearsal = {times, telling};
