import 'reflect-metadata';
import {inject, injectable} from 'tsyringe';
import type {AccessCheck} from './access.js';
import type {Capabilities, CapabilityName} from './capabilities.js';
import type {PluginLimits} from './limits.js';
import type {GatewayStatus} from './status.js';
import type {Logger, Meter} from './telemetry.js';

/**
 * What a plugin may have injected. Each plugin is resolved once in a container of its own, in which the host has
 * registered a value for every token below and a reader for every capability the plugin was granted; nothing else can
 * be asked for, and the container itself is never handed out.
 *
 *     @injectable()
 *     class Main implements GatewayPlugin {
 *       constructor(@use(LOGGER) log: Logger, @use(reader('metrics.query.v1')) metrics: MetricReader) {…}
 *     }
 */
export type Token<T> = symbol & {readonly injects?: T};

export const LOGGER: Token<Logger> = Symbol('Logger');
export const METER: Token<Meter> = Symbol('Meter');
export const LIMITS: Token<PluginLimits> = Symbol('PluginLimits');
/** The state of the gateway at the moment of the call, for a plugin that shows it. */
export const STATUS: Token<() => Promise<GatewayStatus>> = Symbol('Status');
export const ACCESS: Token<AccessCheck> = Symbol('AccessCheck');

const CONFIG_TOKEN: Token<never> = Symbol('Config');

/** The plugin's `config`: validated, completed with defaults, frozen. Name the type that the schema describes. */
export const config = <Config>(): Token<Config> => CONFIG_TOKEN;

const readers = new Map<CapabilityName, symbol>();

/** The reader of a granted capability; of one listed under `optional`, possibly `undefined`. */
export function reader<Name extends CapabilityName>(name: Name): Token<Capabilities[Name]> {
  let token = readers.get(name);
  if (token === undefined) {
    token = Symbol(name);
    readers.set(name, token);
  }
  return token;
}

type Fits<Class, Index extends number, T> = Class extends abstract new (
  ...parameters: infer Parameters
) => unknown
  ? T extends Parameters[Index]
    ? number
    : never
  : never;

/** Marks a constructor parameter. Does not compile when the token's type does not fit the parameter's. */
export const use =
  <T>(token: Token<T>) =>
  <Class extends abstract new (...parameters: never[]) => unknown, Index extends number>(
    target: Class,
    _key: undefined,
    index: Index & Fits<Class, Index, T>,
  ): void => {
    inject(token)(target, undefined, index);
  };

export {injectable};
