import type {Call, IngestFormat, IngestLimits, Intake, Readers} from '../../../../core/api/plugin.js';
import {Addresses} from '../../../../core/toolkit/traces/addresses.js';
import {grantedWriter} from '../granted-writer.js';
import {ElementIntake} from '../json/element-intake.js';
import {beginningOf} from '../json/first-keys.js';
import {readSpan} from './span.js';

const EMPTY_ARRAY = /^\s*\[\s*\]\s*$/;

/** Spans of the Zipkin v2 API: a JSON array. */
export class CompatSpans implements IngestFormat {
  readonly name = 'compat spans';
  readonly capability = 'ingest.compat.v1';
  readonly routes = [{path: '/api/v2/spans', status: 202}];
  readonly endings = [];
  readonly #addresses = new Addresses();

  readonly #limits: IngestLimits;

  constructor(limits: IngestLimits) {
    this.#limits = limits;
  }

  recognises(head: Uint8Array): boolean {
    const beginning = beginningOf(head);
    if (beginning?.array !== true) return false;
    const {keys} = beginning;
    return keys.has('id') || keys.has('traceId') || EMPTY_ARRAY.test(Buffer.from(head).toString());
  }

  async begin(writers: Readers, call: Call): Promise<Intake> {
    const writer = grantedWriter(writers, this.capability, this.name);
    const format = {
      single: false,
      of: 'spans',
      read: (span: Parameters<typeof readSpan>[0]) => readSpan(span, this.#addresses),
      write: writer.write.bind(writer),
    };
    return new ElementIntake(format, this.#limits, call);
  }
}
