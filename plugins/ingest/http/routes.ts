import {
  type BadRecord,
  type Counter,
  GatewayError,
  type HttpRequest,
  type IngestFormat,
  type Meter,
  type Readers,
  type Reply,
  type Routes,
} from '../../../core/api/plugin.js';
import {LogOnce} from '../../../core/toolkit/log-once.js';
import {refuseBinary, refuseOtlp} from './other-protocols.js';

interface Context {
  readonly format: IngestFormat;
  readonly writers: Readers;
  /** Records stored, and values cut, of the format. */
  readonly stored: Counter;
  readonly cut: Counter;
  /** A sender that writes values that are too long writes many. */
  readonly warned: LogOnce;
}

/** The paths of all formats: a body in, the whole of it stored or nothing. */
export function ingestRoutes(routes: Routes, formats: readonly IngestFormat[], writers: Readers, meter: Meter): void {
  const stored = meter.counter('query_gateway_ingest_records_total', 'Records stored.', ['format']);
  const cut = meter.counter('query_gateway_ingest_cut_values_total', 'Values and lists too long, stored in part.', [
    'format',
  ]);
  const warned = new LogOnce();
  for (const format of formats) {
    const labels = {format: format.name};
    const context: Context = {format, writers, stored: stored.with(labels), cut: cut.with(labels), warned};
    for (const {path, status} of format.routes) {
      routes.add({methods: ['POST'], path, body: 'bytes', work: 'write'}, request => take(request, status, context));
    }
  }
}

async function take(request: HttpRequest, status: number, context: Context): Promise<Reply> {
  const {format, writers, stored, cut} = context;
  const refusal = refuseBinary(format, request);
  if (refusal !== undefined) return refusal;
  refuseOtlp(format, request.body);
  const intake = await format.begin(writers, request);
  await intake.decode(request.body, refuseBody);
  await intake.finish(refuseBody);
  const records = intake.pending;
  if (records > 0) await intake.write();
  stored.add(records);
  if (intake.cut > 0) {
    cut.add(intake.cut);
    warnOfCuts(request, context);
  }
  return {status, body: ''};
}

function warnOfCuts({log}: HttpRequest, {format: {name}, warned}: Context): void {
  if (!warned.begins('cut')) return;
  log.warn('values, or lists of tags, that are too long are cut; query_gateway_ingest_cut_values_total counts them', {
    format: name,
  });
}

function refuseBody({index, line, reason}: BadRecord): never {
  const place = line === undefined ? '' : ` (line ${line})`;
  throw new GatewayError('bad_request', `record ${index}${place}: ${reason}`);
}
