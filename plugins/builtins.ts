import type {IngestLimits} from './ingest/formats/format.js';

/** The plugins that `use` knows by name. Each is loaded only when it is used. */
export const plugins = {
  'diagnostics-proxy': () => import('./diagnostics-proxy/plugin.js'),
  ingest: () => import('./ingest/plugin.js'),
  'promql-subset': () => import('./promql-subset/plugin.js'),
  'traceql-compat': () => import('./traceql-compat/plugin.js'),
  'traceql-native': () => import('./traceql-native/plugin.js'),
};

/** The file formats that the `load` command shares with the ingest plugin. */
export const loadIngestFormats = async (limits: IngestLimits) =>
  (await import('./ingest/formats/formats.js')).ingestFormats(limits);

/** Agents and a database for the demo to show. */
export const loadDiagnosticsScene = async () =>
  (await import('../diagnostics-agent/demo/scene.js')).startDiagnosticsScene;

export type {BadRecord, IngestFormat, Intake} from './ingest/formats/format.js';
