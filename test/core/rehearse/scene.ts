import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {runIn} from '../../support/command.js';

export const ALTERED = fileURLToPath(new URL('../../fixtures/altered-adapter.js', import.meta.url));

export const PLUGINS: readonly object[] = [
  {use: 'promql-subset'},
  {use: 'traceql-compat', enabled: true},
  {use: 'traceql-native', enabled: true},
  {use: 'traceql-otlp', enabled: true},
  {use: 'console'},
  {use: 'ingest'},
];

/** A storage of the altered adapter in a folder with these files loaded, and a configuration file beside it. */
export async function store(
  folder: string,
  name: string,
  contents: Readonly<Record<string, string>>,
  alter: object = {},
): Promise<void> {
  const write = (more: object): Promise<void> => {
    const storage = {use: ALTERED, config: {path: `./${name}-data`, ...more}};
    return writeFile(join(folder, `${name}.json`), JSON.stringify({storage, plugins: PLUGINS, logLevel: 'error'}));
  };
  await write({});
  const files = Object.entries(contents).map(([file, content]) => [`${name}-${file}`, content] as const);
  for (const [file, content] of files) await writeFile(join(folder, file), content);
  const loading = await runIn(folder, ['load', '--config', `${name}.json`, ...files.map(([file]) => file)]);
  if (loading.exit !== 0) throw new Error(loading.stderr.join('\n'));
  await write(alter);
}

export interface Report {
  readonly counts: Readonly<Record<string, number>>;
  readonly exemptions: readonly {readonly what: string; readonly requests: number}[];
  readonly bad: readonly string[];
  readonly requests: readonly ReportedRequest[];
}

export interface ReportedRequest {
  readonly class: string;
  readonly source: string;
  readonly plugin: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: string;
  readonly asked?: string;
  readonly difference?: {readonly at: string; readonly old?: string; readonly new?: string};
}

export interface Rehearsed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of a JSON report. */
  readonly report: Report;
}

/** Runs the command over the two configurations `old.json` and `new.json` of the folder. */
export async function rehearse(folder: string, ...words: readonly string[]): Promise<Rehearsed> {
  const file = join(folder, 'report.json');
  await writeFile(file, '{}');
  const given = ['--old', 'old.json', '--new', 'new.json', '--report', 'report.json'];
  const {exit, stdout, stderr} = await runIn(folder, ['rehearse', ...given, ...words]);
  const report = JSON.parse((await readFile(file, 'utf8')).replaceAll(`${folder}/`, '')) as Report;
  return {code: exit, stdout: stdout.join('\n'), stderr: stderr.join('\n'), report};
}

/** A line as `record` writes it. */
export function recorded(
  plugin: string,
  path: string,
  parameters: Readonly<Record<string, string>> | string = {},
  time = '2026-01-02T03:04:05.678Z',
  method = 'GET',
): string {
  const text = new URLSearchParams(parameters).toString();
  return `${JSON.stringify({time, plugin, method, path, parameters: text, status: 200, bytes: 2, ms: 1, sha256: '0'.repeat(64)})}\n`;
}
