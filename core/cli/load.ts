import {forCommands} from '../../plugins/builtins.js';
import type {Call} from '../api/call.js';
import type {Readers} from '../api/capabilities.js';
import type {IngestFormat} from '../api/ingest-format.js';
import {loadConfig} from '../config/load.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {type LoadInput, openInput} from './load/input.js';
import {LateData} from './load/late-data.js';
import {type LoadContext, loadInput} from './load/load-input.js';
import {Progress} from './load/progress.js';
import {createLog} from './log.js';
import {withStorage} from './with-storage.js';

/** Writes files into the configured storage. What is wrong with one record or one file does not keep the others. */
export async function load(paths: readonly string[], {config: file}: {readonly config: string}): Promise<number> {
  const config = await loadConfig({file}, builtins);
  const log = createLog(config.logLevel)('load');
  const {ingestFormats} = await forCommands.ingestFormats();
  const {otlpFormat} = await forCommands.otlpFormat();
  const formats = [...ingestFormats(config.limits), otlpFormat];
  const late = new LateData();
  try {
    return await withStorage(
      config,
      (readers, signal) => loadAll(paths, formats, readers, {signal, log}, late),
      meter => late.watch(meter),
    );
  } catch (error) {
    const posts = formats.flatMap(({name, routes}) => routes.map(({path}) => `${name} at POST ${path}`));
    const hint = `a running gateway takes the same data on its ingest listener: ${posts.join(', ')}`;
    throw new Error(`${(error as Error).message}\n${hint}`, {cause: error});
  }
}

async function loadAll(
  paths: readonly string[],
  formats: readonly IngestFormat[],
  writers: Readers,
  call: Call,
  late: LateData,
): Promise<number> {
  const failures: string[] = [];
  const inputs: LoadInput[] = [];
  for (const path of paths) {
    try {
      inputs.push(await openInput(path));
    } catch (error) {
      failures.push(`${path}: ${(error as Error).message}`);
    }
  }
  const progress = new Progress(inputs);
  for (const failure of failures) progress.line(failure);
  const totals = {records: 0, cut: 0, bad: 0, failed: failures.length};
  const begun = performance.now();

  for (const input of inputs) {
    const {name} = input;
    const context: LoadContext = {
      formats,
      writers,
      call,
      onRead: bytes => progress.read(bytes, totals.records),
      onStored: records => {
        totals.records += records;
      },
      onCut: values => {
        totals.cut += values;
      },
      onBad: ({index, line, reason}) => {
        totals.bad++;
        progress.line(line === undefined ? `${name}[${index}]: ${reason}` : `${name}:${line}: ${reason}`);
      },
    };
    try {
      await loadInput(input, context);
    } catch (error) {
      totals.failed++;
      progress.line(`${name}: ${call.signal.aborted ? 'interrupted' : (error as Error).message}`);
    }
    if (call.signal.aborted) break;
  }

  progress.stop();
  process.stdout.write(`${summary(totals, late, (performance.now() - begun) / 1000)}\n`);
  return totals.bad + totals.failed > 0 ? EXIT.failed : EXIT.ok;
}

interface Totals {
  readonly records: number;
  readonly cut: number;
  readonly bad: number;
  readonly failed: number;
}

function summary({records, cut, bad, failed}: Totals, late: LateData, seconds: number): string {
  const rate = Math.round(records / Math.max(seconds, 0.001));
  const loaded = `loaded ${records} ${records === 1 ? 'record' : 'records'} in ${seconds.toFixed(1)} s (${rate} records/s)`;
  const problems = [
    ...late.toList(),
    ...(cut > 0 ? [`${cut} ${cut === 1 ? 'value' : 'values'} cut`] : []),
    ...(bad > 0 ? [`${bad} bad ${bad === 1 ? 'record' : 'records'}`] : []),
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'file' : 'files'} not loaded to the end`] : []),
  ];
  return [loaded, ...problems].join(', ');
}
