// Writes descriptor.generated.ts and messages.generated.ts from the .proto files of a folder; `npm run proto` runs it.
// With a second folder as argument it writes there, so that a test can compare.
import {readdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import protobuf from 'protobufjs';

const [, , folder, target = folder] = process.argv;

const root = new protobuf.Root();
const bundled = root.resolvePath.bind(root);
root.resolvePath = (origin, name) =>
  protobuf.common.get(name) === null ? resolve(folder, name) : bundled(origin, name);
const sources = readdirSync(folder).filter(name => name.endsWith('.proto'));
root.loadSync(sources.sort(), {keepCase: true}).resolveAll();

const NOTE = '// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.\n';

/** What a decoded field holds. */
const SCALARS = {
  string: 'string',
  bool: 'boolean',
  bytes: 'Uint8Array',
  double: 'number',
  int32: 'number',
  uint32: 'number',
  // 64-bit integers are decimal text, because a number would lose digits.
  int64: 'string',
  uint64: 'string',
  fixed64: 'string',
};

function* types(namespace) {
  for (const item of namespace.nestedArray) {
    if (item instanceof protobuf.Type || item instanceof protobuf.Enum) yield item;
    if (item.nestedArray) yield* types(item);
  }
}

function shortNameOf(type) {
  return type.parent instanceof protobuf.Type ? `${type.parent.name}${type.name}` : type.name;
}

const uses = new Map();
for (const type of types(root)) uses.set(shortNameOf(type), (uses.get(shortNameOf(type)) ?? 0) + 1);

/** A name that several packages have is told apart by the last word of its package: `MeasureQueryRequest`. */
function nameOf(type) {
  const short = shortNameOf(type);
  if (uses.get(short) === 1) return short;
  let namespace = type.parent;
  while (namespace instanceof protobuf.Type) namespace = namespace.parent;
  const words = namespace.fullName.split('.').filter(word => !/^(v|proto)\d+$/.test(word));
  const last = words.at(-1);
  return `${last[0].toUpperCase()}${last.slice(1)}${short}`;
}

function typeOf(field) {
  const resolved = field.resolvedType;
  const message = resolved instanceof protobuf.Type;
  const one = resolved === null ? SCALARS[field.type] : nameOf(resolved);
  if (field.map) return `Readonly<Record<string, ${one}>>`;
  if (field.repeated) return `readonly ${one}[]`;
  if (field.partOf) return `${one}${message ? ' | undefined' : ''}`;
  return message ? `${one} | null` : one;
}

function* declarations() {
  for (const item of types(root)) {
    if (item instanceof protobuf.Type) {
      const fields = item.fieldsArray.map(field => {
        const optional = field.partOf ? '?' : '';
        return `  readonly ${field.name}${optional}: ${typeOf(field)};\n`;
      });
      // Which member of a oneof is there.
      for (const oneof of item.oneofsArray) {
        const names = oneof.fieldsArray.map(field => `'${field.name}'`);
        fields.push(`  readonly ${oneof.name}?: ${names.join(' | ')};\n`);
      }
      yield fields.length === 0
        ? `export type ${nameOf(item)} = Readonly<Record<string, never>>;\n`
        : `export interface ${nameOf(item)} {\n${fields.join('')}}\n`;
    } else {
      yield `export type ${nameOf(item)} =\n${Object.keys(item.values)
        .map(name => `  | '${name}'`)
        .join('\n')};\n`;
    }
  }
}

writeFileSync(join(target, 'messages.generated.ts'), `${NOTE}\n${[...declarations()].join('\n')}`);

const descriptor = JSON.stringify(root.toJSON(), null, 2);
writeFileSync(join(target, 'descriptor.generated.ts'), `${NOTE}\nexport const descriptor: object = ${descriptor};\n`);
