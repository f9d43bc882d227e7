import type {Problem} from '../config/config-error.js';
import type {StorageConfig} from '../config/gateway-config.js';
import {keyPath} from '../config/key-path.js';
import {placedStorages} from '../config/nested-storages.js';

/**
 * What keeps a command from reading the storage of a configuration, because nothing was ever stored there: most often a path
 * with a mistake in it, where the start would make an empty storage. `flag` has named `file`.
 */
export function unstoredProblems(flag: string, file: string, storage: StorageConfig): readonly Problem[] {
  return placedStorages(storage).flatMap(({path, storage: {definition, config}}) =>
    (definition.checkStored?.(config as never) ?? []).map(({key, message}) => ({
      path: flag,
      message: `${file}: ${keyPath(path, key)}: ${message}`,
    })),
  );
}
