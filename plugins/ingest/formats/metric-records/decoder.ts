import type {MetricBatch, MetricDefinition} from '../../../../core/api/plugin.js';
import {ENTITY_KEYS, GatewayError} from '../../../../core/api/plugin.js';
import {whyNotJson} from '../../../../core/toolkit/json.js';
import {quote} from '../../../../core/toolkit/messages.js';
import {SECONDS_PER_MINUTE} from '../../../../core/toolkit/time.js';
import {unixSeconds} from '../../../../core/toolkit/unix-seconds.js';
import {type Fields, isFields, refuse} from '../refusal.js';
import {BatchBuilder} from './batch-builder.js';
import {readDeclaration, SCOPES, sameShape} from './declaration.js';
import {checkKeys, choiceField, contentField, shortField, timeField, valueField} from './fields.js';
import {repeatedKey} from './repeated-key.js';
import {SampleTail} from './sample-tail.js';
import {readEntity, readLabels, readMetric} from './series.js';
import type {KnownSeries, SeriesCache} from './series-cache.js';

const RECORDS = ['metric', 'entity', 'sample', 'sampled-record'] as const;

/**
 * Turns lines into batches. A line adds one record to the current batch, or nothing when something is wrong with it.
 *
 * `#read` defines what a line means: parse, then validate everything. Nearly all lines of a body are samples of series
 * that came before and differ from them in time and value only; `#addKnown` takes those by the text in front.
 */
export class MetricRecordDecoder {
  readonly #cache: SeriesCache;
  readonly #declared: Map<string, MetricDefinition>;
  readonly #tail = new SampleTail();
  /** The current line ends in a tail, which was scanned. */
  #hasTail = false;
  #batch = new BatchBuilder();

  /** `declared`: what the storage knows. Declarations in the lines join it. */
  constructor(cache: SeriesCache, declared: readonly MetricDefinition[]) {
    this.#cache = cache;
    this.#declared = new Map(declared.map(metric => [metric.name, metric]));
  }

  /** Records in the current batch. */
  get size(): number {
    return this.#batch.size;
  }

  /** Ends the current batch and begins the next. */
  take(): MetricBatch {
    const batch = this.#batch.build();
    this.#batch = new BatchBuilder();
    return batch;
  }

  /** Adds a line. Answers why not, if so. */
  add(line: string): string | undefined {
    if (this.#addKnown(line)) return undefined;
    try {
      this.#read(line);
      return undefined;
    } catch (error) {
      if (GatewayError.is(error) && error.code === 'bad_request') return error.message;
      throw error;
    }
  }

  #addKnown(line: string): boolean {
    const tail = this.#tail;
    this.#hasTail = tail.scan(line);
    if (!this.#hasTail) return false;
    const known = this.#cache.ofLineStart(line.slice(0, tail.start));
    const time = unixSeconds(tail.time);
    if (known === undefined || time === undefined) return false;
    if (known.batchId !== this.#batch.id && !this.#fits(known.metric)) return false;
    this.#sample(known, time, tail.value);
    return true;
  }

  /** Whether a series that was validated against this declaration, perhaps in another body, is good here too. */
  #fits(metric: MetricDefinition): boolean {
    const declared = this.#declared.get(metric.name);
    return declared !== undefined && sameShape(declared, metric);
  }

  #sample(known: KnownSeries, time: number, value: number): void {
    if (known.batchId !== this.#batch.id) {
      known.number = this.#batch.addSeries(known.series);
      known.batchId = this.#batch.id;
    }
    this.#batch.sample(known.number, floorToMinute(time), value);
  }

  #read(line: string): void {
    const fields = parse(line);
    const add = this.#validate(fields, line);
    // Last, because valid records have no objects in them but labels: all keys that parsing kept are known by now.
    const labels = Object.keys((fields.labels ?? {}) as object);
    const repeated = repeatedKey(line, [...Object.keys(fields), ...labels]);
    if (repeated !== undefined) {
      refuse(Object.hasOwn(fields, repeated) ? repeated : `labels.${repeated}`, 'found more than once');
    }
    add();
  }

  /** Answers how to add the record, when all is well with it. */
  #validate(fields: Fields, line: string): () => void {
    switch (choiceField(fields, 'record', RECORDS)) {
      case 'metric':
        return this.#readMetric(fields);
      case 'entity':
        return this.#readEntity(fields, line);
      case 'sample':
        return this.#readSample(fields, line);
      case 'sampled-record':
        return this.#readSampledRecord(fields, line);
    }
  }

  #readMetric(fields: Fields): () => void {
    const metric = readDeclaration(fields, name => this.#declared.get(name));
    return () => {
      this.#declared.set(metric.name, metric);
      this.#batch.declare(metric);
    };
  }

  #readEntity(fields: Fields, line: string): () => void {
    const scope = choiceField(fields, 'scope', SCOPES);
    const keys = ['record', 'scope', ...ENTITY_KEYS[scope], 'time'];
    checkKeys(fields, keys, [], `an entity record of the scope ${scope}`);
    const observation = {scope, entity: readEntity(fields, scope), time: floorToMinute(timeField(fields, line))};
    return () => this.#batch.observe(observation);
  }

  #readSample(fields: Fields, line: string): () => void {
    const metric = readMetric(fields, this.#declared);
    if (metric.kind === 'sampled-record') {
      refuse('metric', `"${metric.name}" has the kind sampled-record; it takes records "sampled-record"`);
    }
    const keys = ['record', 'metric', ...ENTITY_KEYS[metric.scope], 'time', 'value'];
    checkKeys(fields, keys, ['labels'], subject(metric));
    const entity = readEntity(fields, metric.scope);
    const series = {metric: metric.name, entity, labels: readLabels(fields, metric)};
    const [time, value] = [timeField(fields, line), valueField(fields)];
    return () => {
      const known = this.#cache.intern(series, metric);
      if (this.#hasTail) this.#cache.rememberLineStart(line.slice(0, this.#tail.start), known);
      this.#sample(known, time, value);
    };
  }

  #readSampledRecord(fields: Fields, line: string): () => void {
    const metric = readMetric(fields, this.#declared);
    if (metric.kind !== 'sampled-record') {
      refuse('metric', `"${metric.name}" has the kind ${metric.kind}; it takes records "sample"`);
    }
    const keys = ['record', 'metric', ...ENTITY_KEYS[metric.scope], 'content', 'time', 'value'];
    checkKeys(fields, keys, ['traceId'], subject(metric));
    const record = {
      metric: metric.name,
      entity: readEntity(fields, metric.scope),
      content: contentField(fields, 'content'),
      time: timeField(fields, line),
      value: valueField(fields),
    };
    // Senders write an empty trace id where nothing was traced.
    const traceId = 'traceId' in fields ? shortField(fields, 'traceId') : '';
    return () => this.#batch.record(traceId === '' ? record : {...record, traceId});
  }
}

function subject(metric: MetricDefinition): string {
  return `a record of "${metric.name}", which has the scope ${metric.scope},`;
}

function parse(line: string): Fields {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw new GatewayError('bad_request', whyNotJson(line, error), {cause: error});
  }
  if (isFields(parsed)) return parsed;
  throw new GatewayError('bad_request', `found ${quote(parsed)}, expected a JSON object with the key "record"`);
}

function floorToMinute(seconds: number): number {
  return seconds - (seconds % SECONDS_PER_MINUTE);
}
