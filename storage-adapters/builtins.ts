import type {ModuleTable} from '../core/host/load-module.js';

/** The storage adapters that `use` knows by name. */
export const adapters = {} satisfies ModuleTable;
