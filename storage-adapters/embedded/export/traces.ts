import type {Call, ExportPage, ExportRequest, TraceExporter} from '../../../core/api/adapter.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {MICROS_PER_SECOND} from '../../../core/toolkit/time.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import type {EmbeddedTraceModel} from '../traces/fragments/model.js';

type ExportedModel<Fragment> = Pick<EmbeddedTraceModel<Fragment, unknown, unknown>, 'name' | 'split'>;

/** Asks a reading thread for each page, and decodes it. */
export class EmbeddedTraceExporter<Fragment> implements TraceExporter<Fragment> {
  readonly #model: ExportedModel<Fragment>;
  readonly #readers: ReaderPool;

  constructor(model: ExportedModel<Fragment>, readers: ReaderPool) {
    this.#model = model;
    this.#readers = readers;
  }

  async *pages({after, from, to}: ExportRequest, call: Call): AsyncGenerator<ExportPage<readonly Fragment[]>> {
    const {name} = this.#model;
    const window = {
      ...(from !== undefined && {from: from * MICROS_PER_SECOND}),
      ...(to !== undefined && {to: to * MICROS_PER_SECOND}),
    };
    let before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(decodeResume(name, after, ['number'])[0]);
    for (;;) {
      const request = {model: name, before, ...window};
      const page = await this.#readers.pick().callLong('tracePage', request, call.signal);
      if (page.isEnd) return;
      before = page.last;
      const content: Fragment[] = [];
      for (const {id, parts} of page.traces) {
        for (const part of parts) {
          await pause(call);
          for (const fragment of this.#model.split(id, part)) content.push(fragment);
        }
      }
      yield {content, resume: encodeResume(name, [before])};
    }
  }
}
