import {plugins} from '../../plugins/builtins.js';
import {adapters} from '../../storage-adapters/builtins.js';
import type {Builtins} from '../config/load-module.js';

/** Everything that comes with this package: the package entry `query-gateway/builtins`. */
export const builtins: Builtins = {plugins, adapters};
