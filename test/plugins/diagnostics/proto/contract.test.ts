import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {channelMethods} from '../../../../plugins/diagnostics/proto/contract.js';
import {descriptor} from '../../../../plugins/diagnostics/proto/descriptor.generated.js';
import {scratchFolder} from '../../../support/gateway.js';
import {descriptorRows, tableRows} from '../../../support/wire-table.js';
import {WIRE} from './wire.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const FOLDER = join(ROOT, 'plugins/diagnostics/proto');

test('packages, messages, fields and numbers are those of the table', t => {
  const found = descriptorRows(descriptor);
  t.deepEqual(found, tableRows(WIRE));
  t.true(found.length > 50);
});

test('every method of the channel streams both ways under its path', t => {
  for (const [name, method] of Object.entries(channelMethods)) {
    t.is(method.path, `/banyandb.fodc.v1.FODCService/${name}`);
    t.true(method.requestStream && method.responseStream);
  }
  t.is(Object.keys(channelMethods).length, 7);
});

test('the generated files are those that the .proto files give', async t => {
  const folder = await scratchFolder(t);
  execFileSync(process.execPath, [join(ROOT, 'scripts/generate-proto.mjs'), FOLDER, folder]);
  for (const file of ['descriptor.generated.ts', 'messages.generated.ts']) {
    t.is(readFileSync(join(folder, file), 'utf8'), readFileSync(join(FOLDER, file), 'utf8'), file);
  }
});
