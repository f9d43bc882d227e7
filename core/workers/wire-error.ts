import {type ErrorCode, GatewayError} from '../api/errors.js';
import {ConfigError, type Problem} from '../config/config-error.js';
import {ListenError} from '../http/port.js';

/** An error on its way to another process, with the one that caused it. */
export interface WireError {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: WireError;
  /** Of an error of the system its code. */
  readonly system?: string;
  /** Of a `ConfigError`. */
  readonly problems?: readonly Problem[];
  /** Of a `GatewayError`. */
  readonly code?: ErrorCode;
  /** Of a `ListenError`. */
  readonly listen?: Pick<ListenError, 'listener' | 'problem' | 'key'>;
}

export function toWire(error: unknown): WireError {
  if (!(error instanceof Error)) return {message: String(error)};
  const {message, stack, cause, code: system} = error as NodeJS.ErrnoException;
  const common = {message, stack, ...(cause !== undefined && {cause: toWire(cause)})};
  if (error instanceof ConfigError) return {...common, problems: error.problems};
  if (error instanceof ListenError) {
    const {listener, problem, key} = error;
    return {...common, listen: {listener, problem, key}};
  }
  if (GatewayError.is(error)) return {...common, code: error.code};
  return {...common, ...(typeof system === 'string' && {system})};
}

/** The same error here, of the class that it had where that one means something to whoever catches it. */
export function fromWire({message, stack, cause, system, problems, code, listen}: WireError): Error {
  if (problems !== undefined) return new ConfigError(problems);
  const options = cause === undefined ? {} : {cause: fromWire(cause)};
  if (listen !== undefined) return new ListenError(listen.listener, listen.problem, listen.key, options);
  const error = code === undefined ? new Error(message, options) : new GatewayError(code, message, options);
  if (stack !== undefined) error.stack = stack;
  return system === undefined ? error : Object.assign(error, {code: system});
}
