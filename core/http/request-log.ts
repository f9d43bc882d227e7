import type {LogFields, Logger} from '../api/telemetry.js';

/** A logger that adds the fields of one request to every line. */
export class RequestLog implements Logger {
  readonly #log: Logger;
  readonly #fields: LogFields;

  constructor(log: Logger, fields: LogFields) {
    this.#log = log;
    this.#fields = fields;
  }

  debug(message: string, fields?: LogFields): void {
    this.#log.debug(message, {...this.#fields, ...fields});
  }

  info(message: string, fields?: LogFields): void {
    this.#log.info(message, {...this.#fields, ...fields});
  }

  warn(message: string, fields?: LogFields): void {
    this.#log.warn(message, {...this.#fields, ...fields});
  }

  error(message: string, fields?: LogFields): void {
    this.#log.error(message, {...this.#fields, ...fields});
  }
}
