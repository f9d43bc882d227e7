import {type Call, conflictBetween, GatewayError, isSameDeclaration, type Readers} from '../../../core/api/adapter.js';

/** Declares in the secondary what the primary has declared, as far as it is missing there. */
export async function declareCatalog(primary: Readers, secondary: Readers, call: Call): Promise<void> {
  const writer = secondary['ingest.metrics.v1'];
  const catalog = await (primary['metrics.query.v1']?.catalog(call) ?? primary['ingest.metrics.v1']?.declared(call));
  if (writer === undefined || catalog === undefined) return;
  const known = new Map((await writer.declared(call)).map(metric => [metric.name, metric]));
  const metrics = catalog.filter(metric => {
    const standing = known.get(metric.name);
    if (standing === undefined) return true;
    const conflict = conflictBetween(standing, metric);
    if (conflict !== undefined) throw new GatewayError('storage_failed', `${conflict}, as the primary has it`);
    return !isSameDeclaration(standing, metric);
  });
  const samples = {series: [], index: new Uint32Array(), time: new Float64Array(), value: new Float64Array()};
  if (metrics.length > 0) await writer.write({metrics, sightings: [], samples, records: []}, call);
}
