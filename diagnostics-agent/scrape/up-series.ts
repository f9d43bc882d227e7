import type {Recorder} from '../recorder/recorder.js';
import {SeriesWriter} from './series-writer.js';

const HELP = 'Whether the last scrape of a local endpoint worked.';

/**
 * Whether the scrapes of an endpoint work, as a series that is recorded and sent beside those that they give: an endpoint
 * that is down has no others.
 */
export class UpSeries {
  readonly #recorder: Recorder;
  readonly #index: number;
  readonly #port: string;

  /** `index`: of an endpoint of the recorder that nothing else is recorded for. */
  constructor(recorder: Recorder, index: number, port: number) {
    this.#recorder = recorder;
    this.#index = index;
    this.#port = String(port);
  }

  /** `time` in milliseconds since 1970. */
  record(isUp: boolean, identity: ReadonlyMap<string, string>, time: number): void {
    const recording = this.#recorder.begin(this.#index);
    const writer = new SeriesWriter(identity);
    writer.writeFamilySuffix('gauge', HELP);
    const suffix = recording.familySuffix(writer.bytes, writer.length);
    writer.write('diagnostics_scrape_up', ['port', this.#port], suffix);
    recording.add(writer.bytes, writer.length, isUp ? 1 : 0);
    recording.commit(time);
  }
}
