import {type Logger as Pino, pino} from 'pino';
import pretty from 'pino-pretty';
import type {LogFields, Logger} from '../api/telemetry.js';

/** Loggers on standard error: JSON lines, or readable text on a terminal. */
export function createLog(level: string): (component: string) => Logger {
  const stream = process.stderr.isTTY
    ? pretty({destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l'})
    : pino.destination({fd: 2, sync: true});
  const root = pino(
    {level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: {level: levelName}},
    stream,
  );
  return component => adapt(root.child({component}));
}

function levelName(level: string): {level: string} {
  return {level};
}

function adapt(log: Pino): Logger {
  return {
    debug: (message: string, fields?: LogFields) => log.debug(fields ?? {}, message),
    info: (message: string, fields?: LogFields) => log.info(fields ?? {}, message),
    warn: (message: string, fields?: LogFields) => log.warn(fields ?? {}, message),
    error: (message: string, fields?: LogFields) => log.error(fields ?? {}, message),
  };
}
