import type {AdapterContext, AdapterDefinition, StorageAdapter} from '../api/adapter.js';
import {CAPABILITY_METHODS, CAPABILITY_NAMES, type CapabilityName, type Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import {didYouMean} from '../toolkit/messages.js';

type Members = Readonly<Record<string, unknown>>;

type Loaded = {readonly definition: AdapterDefinition; readonly use?: string};

/** What went wrong with an adapter, with its name, and where it was loaded from when that is another one. */
export function storageFailure({definition: {name}, use = name}: Loaded, what: string, error: unknown): GatewayError {
  const {code, message} = GatewayError.from(error);
  const from = use === name ? '' : ` (the adapter was loaded from "${use}")`;
  return new GatewayError(code, `the storage adapter ${name} ${what}: ${message}${from}`, {cause: error});
}

/** Creates the adapter; what it lacks of the contract is a `GatewayError` that names it. */
export function createStorage(storage: Loaded, context: AdapterContext): StorageAdapter {
  let adapter: unknown;
  try {
    adapter = storage.definition.create(context);
  } catch (error) {
    throw storageFailure(storage, 'cannot be created', error);
  }
  const missing = missingMethods(adapter, ['start', 'health', 'stop']);
  if (missing === undefined) return adapter as StorageAdapter;
  throw storageFailure(storage, 'cannot be used', new GatewayError('internal', `create() has given ${missing}`));
}

/** What `start` has given, when it is what the contract asks for: for each capability a reader with all its methods. */
export function checkReaders(supplied: unknown): Readers {
  if (typeof supplied !== 'object' || supplied === null || Array.isArray(supplied)) {
    throw new GatewayError('internal', `start() has given ${kindOf(supplied)}, expected an object of capabilities`);
  }
  const problems = Object.entries(supplied).flatMap(([name, reader]) => {
    if (reader === undefined) return [];
    if (!isCapability(name)) {
      return [`a capability "${name}" that this gateway does not know${didYouMean(name, CAPABILITY_NAMES)}`];
    }
    const missing = missingMethods(reader, Object.keys(CAPABILITY_METHODS[name]));
    return missing === undefined ? [] : [`for ${name} ${missing}`];
  });
  if (problems.length > 0) throw new GatewayError('internal', `start() has given ${problems.join('; ')}`);
  return supplied as Readers;
}

/** What is wrong with a value that should have methods; undefined when it has them all. */
export function missingMethods(value: unknown, names: readonly string[]): string | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    return `${kindOf(value)}, expected an object with ${listed(names)}`;
  }
  const missing = names.filter(name => typeof (value as Members)[name] !== 'function');
  return missing.length === 0 ? undefined : `an object without ${listed(missing)}`;
}

function listed(names: readonly string[]): string {
  return `the method${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isCapability(name: string): name is CapabilityName {
  return Object.hasOwn(CAPABILITY_METHODS, name);
}
