import {type Logger as Pino, pino} from 'pino';
import pretty from 'pino-pretty';
import type {LogFields, Logger} from '../api/telemetry.js';
import {redactText} from '../config/redact.js';
import {ACCESS_LOG} from '../http/access-log.js';
import {redactFields} from './redact-fields.js';

/** Loggers on standard error: JSON lines, or readable text on a terminal. No line holds a credential. */
export function createLog(level: string): (component: string) => Logger {
  const stream = process.stderr.isTTY
    ? pretty({destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l'})
    : pino.destination({fd: 2, sync: true});
  const root = pino(
    {level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: {level: levelName}},
    stream,
  );
  // Whoever switches the access log on wants its lines, however few the others are.
  return component => adapt(root.child({component}, component === ACCESS_LOG ? {level: 'info'} : {}));
}

function levelName(level: string): {level: string} {
  return {level};
}

function adapt(log: Pino): Logger {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}): void => {
      if (log.isLevelEnabled(level)) log[level](redactFields(fields), redactText(message));
    };
  return {debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error')};
}
