import type {Call} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../client/client.js';
import {GroupCommit} from '../client/group-commit.js';
import {Inserter} from '../client/inserter.js';
import type {Pace} from '../client/rate-limiter.js';
import type {RowWriter} from '../client/row-writer.js';
import {inSlices} from '../client/slices.js';
import {Sql, sql} from '../client/sql.js';
import type {VersionClock} from '../client/version-clock.js';
import type {Instruments} from '../instruments.js';
import {HourValues} from './hour-values.js';
import type {TraceKind} from './model.js';
import {dayOf, type PreparedUnit, prepareUnit, writeSpans, writeUnit} from './row.js';

const MILLISECONDS_PER_DAY = 86_400_000;

export interface UnitWriterOptions {
  readonly client: ClickHouseClient;
  readonly instruments: Instruments;
  readonly clock: VersionClock;
  readonly pace: Pace;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The day before which spans come too late; -Infinity without a retention. */
  readonly firstDay: () => number;
  /** Told how many spans came too late. */
  readonly late: (spans: number) => void;
}

/** Writes units of one kind: first whole, by trace, then their spans, so that a search finds nothing that is not there. */
export class ClickHouseUnitWriter<Unit> {
  readonly #kind: TraceKind<Unit, unknown>;
  readonly #options: UnitWriterOptions;
  readonly #units: Inserter;
  readonly #spans: Inserter;
  readonly #values: Inserter;
  readonly #commits: GroupCommit<readonly Unit[]>;

  constructor(kind: TraceKind<Unit, unknown>, options: UnitWriterOptions) {
    this.#kind = kind;
    this.#options = options;
    const {client, instruments, pace} = options;
    const unitColumns = sql`trace_id, identity, version, digest, day, timed, start, finish, body`;
    const spanColumns = sql`hour, service, start, digest, place, trace_id, name, kind, status, has_duration, duration, tag_keys, tag_values`;
    const valueColumns = sql`attribute, hour, value, start, rank, digest, trace_id`;
    const [units, spans, values] = [`${kind.name}_units`, `${kind.name}_spans`, `${kind.name}_values`];
    this.#units = new Inserter(client, instruments, units, sql`${new Sql(units)} (${unitColumns})`);
    this.#spans = new Inserter(client, instruments, spans, sql`${new Sql(spans)} (${spanColumns})`);
    this.#values = new Inserter(client, instruments, values, sql`${new Sql(values)} (${valueColumns})`);
    this.#commits = new GroupCommit({
      size: batch => batch.length,
      store: batches => this.#store(batches),
      pace,
      queued: batches => instruments.queued.with({writer: kind.name}).set(batches),
    });
  }

  async write(units: readonly Unit[], call: Call): Promise<void> {
    call.signal.throwIfAborted();
    if (units.length > 0) await this.#commits.write(units);
  }

  settled(): Promise<void> {
    return this.#commits.settled();
  }

  /** They are stored, and gone with the next run of the retention. */
  #countLate(units: readonly PreparedUnit[]): void {
    const {firstDay, late} = this.#options;
    const border = firstDay();
    const spans = units.reduce((sum, unit) => ((dayOf(unit) ?? border) < border ? sum + unit.spans.length : sum), 0);
    if (spans > 0) late(spans);
  }

  async #store(batches: readonly (readonly Unit[])[]): Promise<void> {
    // Of units that replace each other the last one stands.
    const latest = new Map<string, PreparedUnit>();
    await inSlices(batches.flat(), unit => {
      const prepared = prepareUnit(this.#kind, unit);
      latest.set(`${prepared.traceId.length}:${prepared.traceId}${prepared.identity}`, prepared);
    });
    const version = this.#options.clock.next();
    const today = Math.floor(this.#options.now() / MILLISECONDS_PER_DAY);
    const prepared = [...latest.values()];
    await this.#units.insert(
      prepared.map(unit => (rows: RowWriter) => {
        writeUnit(rows, unit, version, today);
        return 1;
      }),
    );
    const values = new HourValues();
    await inSlices(prepared, unit => values.add(unit));
    await Promise.all([
      this.#spans.insert(prepared.map(unit => (rows: RowWriter) => writeSpans(rows, unit))),
      this.#values.insert(values.writers()),
    ]);
    this.#countLate(prepared);
  }
}
