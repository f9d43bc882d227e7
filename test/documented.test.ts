import {readdirSync, readFileSync} from 'node:fs';
import test from 'ava';

const url = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(url(path), 'utf8');

const PAGES = [
  {page: 'docs/writing-a-plugin.md', folder: 'test/fixtures/packages/service-list'},
  {page: 'docs/writing-an-adapter.md', folder: 'test/fixtures/packages/span-file-adapter'},
  {page: 'docs/writing-a-writer.md', folder: 'test/fixtures/packages/span-journal-adapter'},
  {page: 'docs/toolkit.md', folder: 'test/fixtures/toolkit'},
];

for (const {page, folder} of PAGES) {
  test(`the files on ${page} are those that the tests build, install and run`, t => {
    const blocks = [...read(page).matchAll(/`([\w.-]+)`:\n\n```(?:ts|json)\n([\s\S]*?)```/g)];
    t.deepEqual(blocks.map(([, file]) => file).sort(), readdirSync(url(folder)).sort());
    for (const [, file, block] of blocks) t.is(block, read(`${folder}/${file}`), file);
  });
}

test('docs/toolkit.md tells of every module of the toolkit', t => {
  const modules = [...read('core/toolkit/index.ts').matchAll(/ from '\.\/([\w/-]+)\.js'/g)].map(([, module]) => module);
  const table = [...read('docs/toolkit.md').matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  t.deepEqual(table.sort(), modules.map(module => `\`${module}\``).sort());
});
