import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import type {OtlpSpan} from '../../../core/api/plugin.js';
import {type Ended, runIn} from '../../support/command.js';
import {scratchFolder} from '../../support/gateway.js';
import {jsonOf} from './support/encode.js';
import {newTraceId, spanOf} from './support/receiver.js';

const ADAPTER = fileURLToPath(new URL('../../fixtures/memory-adapter.js', import.meta.url));

async function load(
  t: ExecutionContext,
  name: string,
  content: string | Buffer,
  without: readonly string[] = [],
): Promise<Ended> {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, name), content);
  const config = {storage: {use: ADAPTER, config: {without}}, plugins: []};
  await writeFile(join(folder, 'gateway.json'), JSON.stringify(config));
  return runIn(folder, ['load', '--config', 'gateway.json', name]);
}

const loaded = ({stdout}: Ended): string => (stdout[0] ?? '').replace(/ in .*s\)/, '');

const good = (): OtlpSpan => spanOf(newTraceId());
const bad = (): OtlpSpan => spanOf(newTraceId(), {spanId: '0'.repeat(16)});

interface Case {
  readonly title: string;
  readonly name: string;
  readonly content: () => string | Buffer;
  readonly summary: string;
  readonly problems?: readonly string[];
}

const CASES: readonly Case[] = [
  {title: 'one request', name: 'a.json', content: () => jsonOf([good(), good()]), summary: 'loaded 2 records'},
  {
    title: 'one request over many lines, compressed',
    name: 'a.json.gz',
    content: () => gzipSync(JSON.stringify(JSON.parse(jsonOf([good()])), null, 2)),
    summary: 'loaded 1 record',
  },
  {
    title: 'a request a line, also where the ending is that of metric records',
    name: 'a.ndjson',
    content: () => `${jsonOf([good()])}\n\n${jsonOf([good(), good()])}\n`,
    summary: 'loaded 3 records',
  },
  {
    title: 'a request a line, each named by its line, and its spans by their place',
    name: 'a.jsonl',
    content: () =>
      [
        jsonOf([good()]),
        jsonOf([good(), bad()]),
        'nonsense',
        jsonOf([good()]).slice(0, -20),
        jsonOf([good()]).replace('"traceId":"', '"traceId":"x'),
        jsonOf([good()]),
      ].join('\n'),
    summary: 'loaded 3 records, 4 bad records',
    problems: [
      'a.jsonl:2: resourceSpans[0].scopeSpans[0].spans[1]: its span id is zero',
      'a.jsonl:3: expected a JSON object with resourceSpans',
      'a.jsonl:4: the JSON is cut short: its object has no end',
      'a.jsonl:5: the JSON is wrong before character',
    ],
  },
];

for (const {title, name, content, summary, problems = []} of CASES) {
  test(`load takes ${title}`, async t => {
    const running = await load(t, name, content());
    t.is(running.exit, problems.length > 0 ? 1 : 0, running.stderr.join('\n'));
    t.is(loaded(running), summary);
    for (const problem of problems)
      t.true(
        running.stderr.some(line => line.startsWith(problem)),
        running.stderr.join('\n'),
      );
  });
}

test('load says which capability the storage lacks for OTLP', async t => {
  const running = await load(t, 'a.json', jsonOf([good()]), ['ingest.otlp.v1']);
  t.is(running.exit, 1);
  t.true(running.stderr.join('\n').includes('it does not supply the capability ingest.otlp.v1'));
});
