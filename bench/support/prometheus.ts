import {execFile} from 'node:child_process';
import {createWriteStream} from 'node:fs';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {promisify} from 'node:util';
import {type DatasetShape, openMetrics} from './dataset.js';
import {answers, freePort, type RunningProcess, start} from './processes.js';

const run = promisify(execFile);

/** Writes the data set into blocks of a Prometheus in `folder`, with promtool. */
export async function backfillPrometheus(folder: string, shape: DatasetShape): Promise<void> {
  await mkdir(folder, {recursive: true});
  const text = join(folder, 'data.openmetrics');
  await pipeline(Readable.from(openMetrics(shape)), createWriteStream(text));
  await run('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', text, join(folder, 'tsdb')], {
    maxBuffer: 64 << 20,
  });
  await rm(text);
}

export async function startPrometheus(folder: string): Promise<RunningProcess & {readonly url: string}> {
  await writeFile(join(folder, 'prometheus.yml'), 'global: {scrape_interval: 1h}\n');
  const port = await freePort();
  const child = start(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      '--storage.tsdb.retention.time=10y',
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    folder,
  );
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/-/ready`);
  return Object.assign(child, {url});
}
