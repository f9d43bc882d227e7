import {readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {scratchFolder, startGateway} from './support/gateway.js';
import {get} from './support/http.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const PAGES = [
  {page: 'docs/writing-a-plugin.md', code: 'test/fixtures/documented/service-list.ts'},
  {page: 'docs/writing-an-adapter.md', code: 'test/fixtures/documented/inventory.ts'},
];

for (const {page, code} of PAGES) {
  test(`the code on ${page} is the code that the tests compile and run`, t => {
    const block = /```ts\n([\s\S]*?)```/.exec(read(page))?.[1];
    t.is(block, read(code));
  });
}

test('the adapter and the plugin of the pages serve a request together', async t => {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'services.json'), '{"GENERAL": {"songs": {}, "app": {"endpoints": ["/"]}}}');
  const compiled = (name: string): string => fileURLToPath(new URL(`fixtures/documented/${name}.js`, import.meta.url));
  const {urls} = await startGateway(t, {
    folder,
    config: {
      listeners: {'service-list': {port: 0}},
      storage: {use: compiled('inventory'), config: {file: './services.json'}},
      plugins: [{use: compiled('service-list'), config: {separator: ', '}}],
    },
  });
  const answer = await get(`${urls['service-list']}/layers/GENERAL/services`);
  t.like(answer, {status: 200, text: 'app, songs, '});
});
