import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {scratchFolder} from '../../../support/gateway.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const FOLDER = join(ROOT, 'plugins/ingest/skywalking/proto');

test('the generated files are those that the .proto file gives', async t => {
  const folder = await scratchFolder(t);
  execFileSync(process.execPath, [join(ROOT, 'scripts/generate-proto.mjs'), FOLDER, folder]);
  for (const file of ['descriptor.generated.ts', 'messages.generated.ts']) {
    t.is(readFileSync(join(folder, file), 'utf8'), readFileSync(join(FOLDER, file), 'utf8'), file);
  }
});
