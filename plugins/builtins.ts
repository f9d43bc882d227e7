/** The built-in plugins by the name that `use` gives in the configuration. Each is loaded only when it is used. */
export const PLUGINS = {
  ingest: () => import('./ingest/plugin.js'),
};

/** The file formats that the `load` command shares with the ingest plugin. */
export const loadIngestFormats = async () => (await import('./ingest/formats/formats.js')).ingestFormats();

export type {BadRecord, IngestFormat, Intake} from './ingest/formats/format.js';
