import type {Call, IngestFormat, IngestLimits, Intake, Readers} from '../../../../core/api/plugin.js';
import {grantedWriter} from '../granted-writer.js';
import {ElementIntake} from '../json/element-intake.js';
import {beginningOf} from '../json/first-keys.js';
import {readSegment} from './segment.js';

/** Segments of the SkyWalking report protocol: a JSON array, or one object. */
export class NativeSegments implements IngestFormat {
  readonly name = 'native segments';
  readonly capability = 'ingest.native.v1';
  readonly routes = [
    {path: '/v3/segments', status: 200},
    {path: '/v3/segment', status: 200},
  ];
  readonly endings = [];

  readonly #limits: IngestLimits;

  constructor(limits: IngestLimits) {
    this.#limits = limits;
  }

  recognises(head: Uint8Array): boolean {
    const keys = beginningOf(head)?.keys;
    return keys !== undefined && (keys.has('traceSegmentId') || keys.has('spans'));
  }

  async begin(writers: Readers, call: Call): Promise<Intake> {
    const writer = grantedWriter(writers, this.capability, this.name);
    const format = {single: true, of: 'segments', read: readSegment, write: writer.write.bind(writer)};
    return new ElementIntake(format, this.#limits, call);
  }
}
