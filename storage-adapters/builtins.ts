/** The storage adapters that `use` knows by name. Each is loaded only when it is used. */
export const adapters = {
  banyandb: () => import('./banyandb/adapter.js'),
  clickhouse: () => import('./clickhouse/adapter.js'),
  embedded: () => import('./embedded/adapter.js'),
  postgres: () => import('./postgres/adapter.js'),
  tee: () => import('./tee/adapter.js'),
};
