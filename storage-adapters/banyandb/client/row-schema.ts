import type {FieldType, Measure, Stream} from '../proto/methods.js';

/** What queries need to know of a measure or a stream. */
export interface RowSchema {
  readonly group: string;
  readonly name: string;
  /** Tag → its family. */
  readonly families: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, FieldType>;
  readonly shardingKey: readonly string[];
  /** Differs when anything here does. */
  readonly fingerprint: string;
}

export function measureSchema({metadata, tag_families, fields, sharding_key}: Measure): RowSchema {
  return schemaOf(
    metadata,
    tag_families,
    fields.map(({name, field_type}) => [name, field_type]),
    sharding_key?.tag_names ?? [],
  );
}

export const streamSchema = ({metadata, tag_families}: Stream): RowSchema => schemaOf(metadata, tag_families, [], []);

function schemaOf(
  metadata: Measure['metadata'],
  tagFamilies: Measure['tag_families'],
  fields: readonly (readonly [string, FieldType])[],
  shardingKey: readonly string[],
): RowSchema {
  const families = tagFamilies.flatMap(({name, tags}) => tags.map(tag => [tag.name, name] as const));
  const {group = '', name = '', mod_revision: revision = ''} = metadata ?? {};
  return {
    group,
    name,
    families: new Map(families),
    fields: new Map(fields),
    shardingKey,
    fingerprint: JSON.stringify([name, revision, families, fields, shardingKey]),
  };
}

/** The field whose value a reader shows, by the function that filled it: the first of these that is there. */
const VALUE_FIELDS = ['datatable_value', 'double_value', 'percentage', 'int_value', 'value'] as const;

/** Undefined for measures that hold something else, such as histograms and what the server keeps for itself. */
export function valueField({name, fields}: RowSchema): string | undefined {
  if (name.startsWith('_')) return undefined;
  return VALUE_FIELDS.find(field => fields.has(field));
}

/** A stream of events with a text and a value. */
export function isRecords({families}: RowSchema): boolean {
  return ['entity_id', 'latency', 'statement'].every(tag => families.has(tag));
}
