/**
 * The tables, as the steps from nothing to the newest version. A step is never changed once it was released: a later one
 * changes what it made. `docs/postgres.md` shows the same text.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE store (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  version int NOT NULL,
  catalog_version bigint NOT NULL DEFAULT 0,
  minute_border int,
  layout_version bigint NOT NULL DEFAULT 0
);
INSERT INTO store (version) VALUES (1);

CREATE TABLE metrics (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  scope text NOT NULL,
  kind text NOT NULL,
  type text NOT NULL,
  help text NOT NULL,
  unit text NOT NULL,
  rollup text NOT NULL,
  value_labels text[] NOT NULL,
  rollups jsonb NOT NULL
);

CREATE TABLE entities (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key uuid NOT NULL UNIQUE,
  parent uuid NOT NULL,
  scope text NOT NULL,
  name text COLLATE "C" NOT NULL,
  names text[] COLLATE "C" NOT NULL,
  first_seen int,
  last_seen int
) WITH (fillfactor = 80);
CREATE INDEX entities_list ON entities (parent, scope, name);

CREATE TABLE series (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key uuid NOT NULL UNIQUE,
  metric int NOT NULL,
  entity int NOT NULL,
  labels text[] COLLATE "C" NOT NULL
);
CREATE INDEX series_of_metric ON series (metric, entity);

CREATE TABLE minutes (
  series int NOT NULL,
  bucket int NOT NULL,
  value float8 NOT NULL,
  PRIMARY KEY (series, bucket) INCLUDE (value)
) PARTITION BY RANGE (bucket);

CREATE TABLE hours (
  series int NOT NULL,
  bucket int NOT NULL,
  count int NOT NULL,
  sum float8 NOT NULL,
  min float8 NOT NULL,
  max float8 NOT NULL,
  latest_minute int NOT NULL,
  latest float8 NOT NULL,
  PRIMARY KEY (series, bucket)
) PARTITION BY RANGE (bucket);

CREATE TABLE days (LIKE hours, PRIMARY KEY (series, bucket)) PARTITION BY RANGE (bucket);

CREATE TABLE records (
  metric int NOT NULL,
  service uuid NOT NULL,
  bucket bigint NOT NULL,
  digest uuid NOT NULL,
  entity int NOT NULL,
  value float8 NOT NULL,
  content text COLLATE "C" NOT NULL,
  trace text COLLATE "C",
  PRIMARY KEY (metric, service, bucket, digest)
) PARTITION BY RANGE (bucket);

CREATE TABLE traces (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  start bigint,
  finish bigint,
  spans int NOT NULL,
  days int[] NOT NULL,
  latest_hour int NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX traces_latest_hour ON traces (latest_hour);

CREATE TABLE spans (
  bucket int NOT NULL,
  trace bigint NOT NULL,
  identity uuid NOT NULL,
  start bigint,
  duration bigint,
  service text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  tag_keys text[] COLLATE "C" NOT NULL,
  tag_values text[] COLLATE "C" NOT NULL,
  terms int[] NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (bucket, trace, identity)
) PARTITION BY RANGE (bucket);
CREATE INDEX spans_start ON spans (start);
CREATE INDEX spans_terms ON spans USING gin (terms);
CREATE TABLE spans_rest PARTITION OF spans FOR VALUES FROM (2147483647) TO (MAXVALUE);

CREATE TABLE span_hours (hour int PRIMARY KEY);`,

  `-- Version 2: lists of the tags of every five minutes. Gateways of version 1 cannot write spans any more.
CREATE TABLE span_periods (
  period int PRIMARY KEY,
  pending boolean NOT NULL DEFAULT true,
  listed boolean NOT NULL DEFAULT false,
  late bigint[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);
CREATE INDEX span_periods_pending ON span_periods (period) WHERE pending;
INSERT INTO span_periods (period) SELECT hour * 12 + part FROM span_hours CROSS JOIN generate_series(0, 11) AS part;
DROP TABLE span_hours;

CREATE TABLE span_lists (
  period int NOT NULL,
  list uuid NOT NULL,
  entries text[] COLLATE "C",
  firsts int[],
  PRIMARY KEY (period, list)
) PARTITION BY RANGE (period);

UPDATE store SET version = 2, layout_version = layout_version + 1;`,

  `-- Version 3: the time that retention went by last, in milliseconds. Gateways of version 2 can go on meanwhile.
ALTER TABLE store ADD COLUMN clock bigint;

UPDATE store SET version = 3;`,

  `-- Version 4: sums of hours and days that do not depend on the order in which their minutes came. Gateways of earlier versions
-- cannot read or write hours and days any more.
ALTER TABLE hours RENAME COLUMN sum TO rounded_sum;
ALTER TABLE hours ALTER COLUMN rounded_sum SET DEFAULT 0,
  ADD COLUMN c0 float8 NOT NULL DEFAULT 0, ADD COLUMN c1 float8 NOT NULL DEFAULT 0,
  ADD COLUMN c2 float8 NOT NULL DEFAULT 0, ADD COLUMN c3 float8 NOT NULL DEFAULT 0, ADD COLUMN unfit float8[];
ALTER TABLE days RENAME COLUMN sum TO rounded_sum;
ALTER TABLE days ALTER COLUMN rounded_sum SET DEFAULT 0,
  ADD COLUMN c0 float8 NOT NULL DEFAULT 0, ADD COLUMN c1 float8 NOT NULL DEFAULT 0,
  ADD COLUMN c2 float8 NOT NULL DEFAULT 0, ADD COLUMN c3 float8 NOT NULL DEFAULT 0, ADD COLUMN unfit float8[];

UPDATE store SET version = 4, layout_version = layout_version + 1;`,

  `-- Version 5: spans of OTLP, in tables of their own. Gateways of version 4 can go on meanwhile.
CREATE TABLE otlp_traces (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  start bigint,
  finish bigint,
  spans int NOT NULL,
  days int[] NOT NULL,
  latest_hour int NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX otlp_traces_latest_hour ON otlp_traces (latest_hour);

CREATE TABLE otlp_spans (
  bucket int NOT NULL,
  trace bigint NOT NULL,
  identity uuid NOT NULL,
  parent uuid,
  start bigint,
  finish bigint,
  duration float8 NOT NULL,
  service text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  tag_keys text[] COLLATE "C" NOT NULL,
  tag_values text[] COLLATE "C" NOT NULL,
  resource_keys text[] COLLATE "C" NOT NULL,
  resource_values text[] COLLATE "C" NOT NULL,
  terms int[] NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (bucket, trace, identity)
) PARTITION BY RANGE (bucket);
CREATE INDEX otlp_spans_start ON otlp_spans (start);
CREATE INDEX otlp_spans_terms ON otlp_spans USING gin (terms);
CREATE TABLE otlp_spans_rest PARTITION OF otlp_spans FOR VALUES FROM (2147483647) TO (MAXVALUE);

CREATE TABLE otlp_span_periods (
  period int PRIMARY KEY,
  pending boolean NOT NULL DEFAULT true,
  listed boolean NOT NULL DEFAULT false,
  late bigint[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);
CREATE INDEX otlp_span_periods_pending ON otlp_span_periods (period) WHERE pending;

CREATE TABLE otlp_span_lists (
  period int NOT NULL,
  list uuid NOT NULL,
  entries text[] COLLATE "C",
  firsts int[],
  PRIMARY KEY (period, list)
) PARTITION BY RANGE (period);

UPDATE store SET version = 5;`,
];

export const SCHEMA_VERSION = MIGRATIONS.length;
