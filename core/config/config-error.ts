import {redactText} from './redact.js';

/** One thing that is wrong with the configuration. */
export interface Problem {
  /** The path of the key, as `plugins[0].config.lookback`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The configuration cannot be used. Carries every problem that was found; its message has one on each line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({path, message}) => (path === '' ? message : `${path}: ${message}`)).join('\n'));
    this.problems = problems;
  }
}

/** Collects problems, at most one for each path, so that the first and most telling one stands. */
export class Problems {
  readonly #byPath = new Map<string, Problem>();
  readonly #variables = new Map<string, string>();
  readonly #written = new Map<string, string>();

  /** A credential in the message is hidden. */
  add(path: string, text: string): void {
    if (this.#byPath.has(path)) return;
    const message = redactText(text);
    const origin = this.#variableOf(path);
    this.#byPath.set(path, {path, message: origin === undefined ? message : `${message} (from ${origin})`});
  }

  /** Notes that the value at `path` comes from a variable, which what is wrong with it then names. */
  comesFrom(path: string, variable: string): void {
    this.#variables.set(path, variable);
  }

  /** Notes what stands in the file for a value that was read from text with a unit. */
  wasWritten(path: string, text: string): void {
    this.#written.set(path, text);
  }

  /** The text that stands for the value at `path`, where it is not the value itself. */
  written(path: string): string | undefined {
    return this.#written.get(path);
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** Whether anything is wrong with this key or within it. */
  hasWithin(path: string): boolean {
    const within = (other: string) => other === path || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);
    return [...this.#byPath.keys()].some(within);
  }

  /** Of the value itself, or of the list that was made of one text. */
  #variableOf(path: string): string | undefined {
    return this.#variables.get(path) ?? this.#variables.get(path.replace(/\[\d+\]$/, ''));
  }

  get all(): readonly Problem[] {
    return [...this.#byPath.values()];
  }

  throwIfAny(): void {
    if (this.#byPath.size > 0) throw new ConfigError(this.all);
  }
}
