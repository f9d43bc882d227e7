import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import protobuf from 'protobufjs';
import {channelMethods} from '../../../../plugins/diagnostics-proxy/proto/contract.js';
import {descriptor} from '../../../../plugins/diagnostics-proxy/proto/descriptor.generated.js';
import {scratchFolder} from '../../../support/gateway.js';
import {WIRE} from './wire.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const FOLDER = join(ROOT, 'plugins/diagnostics-proxy/proto');

/** The descriptor in the form of the table. */
function* rows(namespace: protobuf.NamespaceBase): Generator<string> {
  const own = namespace.fullName.slice(1);
  const short = (field: protobuf.Field): string => {
    const {resolvedType, type} = field;
    if (resolvedType === null) return type;
    const full = resolvedType.fullName.slice(1);
    if (full === 'google.protobuf.Timestamp') return 'Timestamp';
    return full.startsWith(`${packageOf(own)}.`) ? full.slice(packageOf(own).length + 1) : full;
  };
  for (const item of namespace.nestedArray) {
    if (item instanceof protobuf.Enum) {
      const values = Object.entries(item.values).map(([name, id]) => `${name}=${id}`);
      yield `${packageOf(own)}|enum ${item.fullName.slice(packageOf(own).length + 2)}: ${values.join(' ')}`;
    }
    if (item instanceof protobuf.Type) {
      const fields = item.fieldsArray.map(field => {
        const type = field instanceof protobuf.MapField ? `map<${field.keyType},${short(field)}>` : short(field);
        const oneof = field.partOf === null ? '' : ` ?oneof:${field.partOf.name}`;
        return `${field.id} ${field.name} ${type}${field.repeated ? '*' : ''}${oneof}`;
      });
      yield `${packageOf(own)}|${item.name}:${fields.length === 0 ? '' : ' '}${fields.join('; ')}`;
    }
    if (item instanceof protobuf.Namespace) yield* rows(item);
  }
}

const packageOf = (path: string): string => path.split('.').slice(0, 3).join('.');

test('packages, messages, fields and numbers are those of the table', t => {
  const root = protobuf.Root.fromJSON(descriptor as protobuf.INamespace).resolveAll();
  const expected: string[] = [];
  let within = '';
  for (const line of WIRE.trim().split('\n')) {
    if (line.startsWith('package ')) within = line.slice('package '.length);
    else expected.push(`${within}|${line}`);
  }
  const found = [...rows(root)].filter(row => !row.startsWith('google.'));
  t.deepEqual(found.sort(), expected.sort());
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
  execFileSync(process.execPath, [join(FOLDER, 'generate.mjs'), folder]);
  for (const file of ['descriptor.generated.ts', 'messages.generated.ts']) {
    t.is(readFileSync(join(folder, file), 'utf8'), readFileSync(join(FOLDER, file), 'utf8'), file);
  }
});
