import type {BanyanDBConnection} from '../client/connection.js';
import {measureSchema, type RowSchema, streamSchema} from '../client/row-schema.js';
import {measures, streams} from '../proto/methods.js';
import type {Layout} from './layout.js';

export type RowSchemas = ReadonlyMap<string, RowSchema>;

/** All schemas of a deployment at one moment, by name in their group. */
export interface RegistryState {
  readonly minute: RowSchemas;
  readonly hour: RowSchemas;
  readonly day: RowSchemas;
  readonly metadata: RowSchemas;
  readonly records: RowSchemas;
  /** The same while nothing has changed. */
  readonly fingerprint: string;
}

/** Where the schemas of now come from. */
export interface RegistryProvider {
  /** Runs a query, and once more on fresh schemas when the server says that it does not fit them. */
  using<T>(signal: AbortSignal, query: (state: {readonly registry: RegistryState}) => Promise<T>): Promise<T>;
}

export async function readRegistry(
  connection: BanyanDBConnection,
  layout: Layout,
  signal: AbortSignal,
): Promise<RegistryState> {
  const measuresOf = async (group: string | undefined): Promise<RowSchemas> => {
    if (group === undefined) return new Map();
    const {measure} = await connection.call(measures.List, {group}, signal);
    return byName(measure.map(measureSchema));
  };
  const streamsOf = async (group: string | undefined): Promise<RowSchemas> => {
    if (group === undefined) return new Map();
    const {stream} = await connection.call(streams.List, {group}, signal);
    return byName(stream.map(streamSchema));
  };
  const [minute, hour, day, metadata, records] = await Promise.all([
    measuresOf(layout.minute),
    measuresOf(layout.hour),
    measuresOf(layout.day),
    measuresOf(layout.metadata),
    streamsOf(layout.records),
  ]);
  const fingerprint = [minute, hour, day, metadata, records]
    .map(schemas => [...schemas.values()].map(schema => schema.fingerprint).join())
    .join('\n');
  return {minute, hour, day, metadata, records, fingerprint};
}

function byName(schemas: readonly RowSchema[]): RowSchemas {
  const sorted = [...schemas].sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map(schema => [schema.name, schema]));
}
