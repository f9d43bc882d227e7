import {type Logger as Pino, pino} from 'pino';
import type {LogFields, Logger} from '../api/telemetry.js';
import {redactText} from '../config/redact.js';
import {ACCESS_LOG} from '../http/access-log.js';
import {redactFields} from './redact-fields.js';

type Level = keyof Logger;

/** Loaded only where it is used, as loading it is time that each command would take longer. */
const pretty = process.stderr.isTTY ? (await import('pino-pretty')).default : undefined;

export interface LoggerSource {
  /** The logger of a component. */
  (component: string): Logger;
  /** From now on, the least severe lines that are written, whoever writes them. */
  setLevel(level: Level): void;
}

/** Loggers on standard error: JSON lines, or readable text on a terminal. No line holds a credential. `worker` is the number of a worker. */
export function createLog(level: Level, worker?: number): LoggerSource {
  let least = pino.levels.values[level] ?? 0;
  const stream =
    pretty?.({destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l'}) ??
    pino.destination({fd: 2, sync: true});
  const root = pino(
    {
      level: 'debug',
      base: worker === undefined ? null : {worker},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {level: levelName},
    },
    stream,
  );
  const isWanted = (of: Level): boolean => (pino.levels.values[of] ?? 0) >= least;
  const setLevel = (next: Level): void => {
    least = pino.levels.values[next] ?? 0;
  };
  // Whoever switches the access log on wants its lines, however few the others are.
  const loggerOf = (component: string): Logger =>
    adapt(root.child({component}), component === ACCESS_LOG ? () => true : isWanted);
  return Object.assign(loggerOf, {setLevel});
}

function levelName(level: string): {level: string} {
  return {level};
}

function adapt(log: Pino, isWanted: (level: Level) => boolean): Logger {
  const write =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      if (isWanted(level)) log[level](redactFields(fields), redactText(message));
    };
  return {debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error')};
}
