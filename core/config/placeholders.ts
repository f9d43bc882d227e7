import type {Problems} from './config-error.js';
import {keyPath} from './key-path.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process: the one place in which the core reads it. */
export const processEnvironment: Environment = process.env;

/** Text that came from a variable and may become a value of another type, whichever the schema asks for. */
export class VariableText {
  readonly text: string;
  readonly variable: string;

  constructor(text: string, variable: string) {
    this.text = text;
    this.variable = variable;
  }
}

/** The value of a variable; one that is set but empty counts as unset. */
export function variable(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

/**
 * Replaces `${NAME}` and `${NAME:default}` in every string below `value`, and `$${` by a literal `${`. A string that is
 * one placeholder and nothing else becomes a `VariableText`.
 */
export function expandPlaceholders(
  value: unknown,
  path: string,
  environment: Environment,
  problems: Problems,
): unknown {
  if (typeof value === 'string') return expandText(value, path, environment, problems);
  if (Array.isArray(value)) {
    return value.map((item, index) => expandPlaceholders(item, keyPath(path, index), environment, problems));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        expandPlaceholders(item, keyPath(path, key), environment, problems),
      ]),
    );
  }
  return value;
}

function expandText(text: string, path: string, environment: Environment, problems: Problems): string | VariableText {
  const [, name, fallback] = /^\$\{([A-Za-z_]\w*)(?::((?:[^}$]|\$(?!\{))*))?\}$/.exec(text) ?? [];
  if (name !== undefined) return new VariableText(lookUp(name, fallback, path, environment, problems), name);
  const names = new Set<string>();
  const expanded = text.replace(
    /\$\$\{|\$\{(?:([A-Za-z_]\w*)(?::((?:[^}$]|\$(?!\{))*))?\})?/g,
    (found, name: string | undefined, fallback: string | undefined, offset: number) => {
      if (found === '$${') return '${';
      if (name !== undefined) {
        names.add(name);
        return lookUp(name, fallback, path, environment, problems);
      }
      problems.add(path, `${mistakeAt(text, offset)}; write $\${ for a literal \${`);
      return found;
    },
  );
  if (names.size > 0) problems.comesFrom(path, [...names].join(' and '));
  return expanded;
}

/** What is wrong with the placeholder that begins there. Its default is not shown: it may be a credential. */
function mistakeAt(text: string, offset: number): string {
  const rest = text.slice(offset);
  if (rest.includes('}')) return 'a placeholder is ${NAME} or ${NAME:default}; they do not nest';
  const begin = /^\$\{\w*/.exec(rest)?.[0];
  return `the closing brace of the placeholder ${begin} is missing`;
}

function lookUp(
  name: string,
  fallback: string | undefined,
  path: string,
  environment: Environment,
  problems: Problems,
): string {
  const text = variable(environment, name) ?? fallback;
  if (text === undefined) {
    problems.add(path, `the environment variable ${name} is not set; set it, or write \${${name}:default}`);
  }
  return text ?? '';
}
