import type {Connection} from '../client/connection.js';
import type {Layout} from '../layout/layout.js';
import {measures, streams} from '../proto/methods.js';
import {measureSchema, type Schema, streamSchema} from './schema.js';

export type Schemas = ReadonlyMap<string, Schema>;

/** All schemas of a deployment at one moment, by name in their group. */
export interface RegistryState {
  readonly minute: Schemas;
  readonly hour: Schemas;
  readonly day: Schemas;
  readonly metadata: Schemas;
  readonly records: Schemas;
  /** The same while nothing has changed. */
  readonly fingerprint: string;
}

export async function readRegistry(
  connection: Connection,
  layout: Layout,
  signal: AbortSignal,
): Promise<RegistryState> {
  const measuresOf = async (group: string | undefined): Promise<Schemas> => {
    if (group === undefined) return new Map();
    const {measure} = await connection.call(measures.List, {group}, signal);
    return byName(measure.map(measureSchema));
  };
  const streamsOf = async (group: string | undefined): Promise<Schemas> => {
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

function byName(schemas: readonly Schema[]): Schemas {
  const sorted = [...schemas].sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map(schema => [schema.name, schema]));
}
