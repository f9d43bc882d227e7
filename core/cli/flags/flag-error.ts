import {ConfigError} from '../../config/config-error.js';

/** Something is wrong with the command line. */
export const flagError = (message: string): ConfigError => new ConfigError([{path: '', message}]);
