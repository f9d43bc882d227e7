/** The plugins that `use` knows by name. Each is loaded only when it is used. */
export const plugins = {
  console: () => import('./console/plugin.js'),
  'diagnostics-proxy': () => import('./diagnostics-proxy/plugin.js'),
  ingest: () => import('./ingest/plugin.js'),
  'ingest-otlp': () => import('./ingest-otlp/plugin.js'),
  'promql-subset': () => import('./promql-subset/plugin.js'),
  'traceql-compat': () => import('./traceql-compat/plugin.js'),
  'traceql-native': () => import('./traceql-native/plugin.js'),
  'traceql-otlp': () => import('./traceql-otlp/plugin.js'),
};

/** What commands of the gateway take from here beside plugins. Each is loaded by its command alone. */
export const forCommands = {
  demo: () => import('./demo/demo.js'),
  ingestFormats: () => import('./ingest/formats/all-formats.js'),
  otlpFormat: () => import('./ingest-otlp/load/format.js'),
};
