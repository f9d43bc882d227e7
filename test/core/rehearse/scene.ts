import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {CLI, type Owner, runNode} from '../../support/gateway.js';

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
  t: Owner,
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
  const files = Object.entries(contents).map(([file, content]) => [join(folder, `${name}-${file}`), content] as const);
  for (const [file, content] of files) await writeFile(file, content);
  const loading = runNode(
    t,
    [CLI, 'load', '--config', join(folder, `${name}.json`), ...files.map(([file]) => file)],
    folder,
  );
  if ((await loading.exit) !== 0) throw new Error(loading.stderr.join('\n'));
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
export async function rehearse(t: Owner, folder: string, ...words: readonly string[]): Promise<Rehearsed> {
  const file = join(folder, 'report.json');
  await writeFile(file, '{}');
  const run = runNode(
    t,
    [CLI, 'rehearse', '--old', 'old.json', '--new', 'new.json', '--report', file, ...words],
    folder,
  );
  const code = await run.exit;
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  return {code, stdout: run.stdout.join('\n'), stderr: run.stderr.join('\n'), report};
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
