/**
 * Logs and metrics of the gateway itself, as plugins and adapters see them.
 *
 * Both are the subset that components need; the libraries behind them never show. Every component gets its own
 * instances, which already carry the component's name, so neither a log line nor a metric repeats it.
 */

/** Fields of a log line. Values must survive JSON; an `Error` under the key `err` is written with its stack and cause. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * A structured logger. The message is a constant sentence; what varies goes into fields, so that lines can be grouped.
 * Never pass a secret: fields are written as they are.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Values of the labels that an instrument was declared with, every one of them. */
export type LabelValues = Readonly<Record<string, string>>;

export interface Counter {
  /** `amount` defaults to 1 and is never negative. */
  add(amount?: number): void;
}

export interface Gauge {
  set(value: number): void;
}

export interface Histogram {
  /** In the unit that the name ends in: seconds, bytes. */
  observe(value: number): void;
}

/** An instrument with labels. `with` is a look-up: on a hot path, call it once and keep what it returns. */
export interface Labelled<Instrument> {
  with(values: LabelValues): Instrument;
}

/** How one number is made of several: of what is shared out the sum, of what is to be well everywhere the least. */
export type Together = 'sum' | 'least';

/**
 * Makes instruments for the `/metrics` page of the admin listener. Names follow the Prometheus conventions and begin
 * with `query_gateway_`. Asking again for a name gives the same instrument; asking for it with another type or other
 * labels throws, which is a defect of the caller.
 */
export interface Meter {
  counter(name: string, help: string, labels?: readonly string[]): Labelled<Counter>;
  /** `together` says what the gauges of several processes that serve as one gateway are as one: `sum` unless given. */
  gauge(name: string, help: string, labels?: readonly string[], together?: Together): Labelled<Gauge>;
  /** `buckets` are upper bounds in ascending order; left out, they suit durations of requests in seconds. */
  histogram(name: string, help: string, labels?: readonly string[], buckets?: readonly number[]): Labelled<Histogram>;
}
