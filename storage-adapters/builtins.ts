/** The storage adapters that `use` knows by name. Each is loaded only when it is used. */
export const adapters = {
  embedded: () => import('./embedded/adapter.js'),
};
