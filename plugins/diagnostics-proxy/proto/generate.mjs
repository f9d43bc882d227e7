// Writes descriptor.generated.ts and messages.generated.ts from the .proto files; `npm run proto` runs it.
// With a folder as argument it writes there, so that a test can compare.
import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import protobuf from 'protobufjs';

const folder = dirname(fileURLToPath(import.meta.url));
const [, , target = folder] = process.argv;

const root = new protobuf.Root();
const bundled = root.resolvePath.bind(root);
root.resolvePath = (origin, name) => (protobuf.common.get(name) === null ? join(folder, name) : bundled(origin, name));
root.loadSync(['common.proto', 'database.proto', 'fodc.proto'], {keepCase: true}).resolveAll();

const NOTE = '// Generated from the .proto files of this folder by generate.mjs. Do not edit.\n';

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
};

function typeOf(field) {
  const resolved = field.resolvedType;
  const message = resolved instanceof protobuf.Type;
  const one = resolved === null ? SCALARS[field.type] : nameOf(resolved);
  if (field.map) return `Readonly<Record<string, ${one}>>`;
  if (field.repeated) return `readonly ${one}[]`;
  if (field.partOf) return `${one}${message ? ' | undefined' : ''}`;
  return message ? `${one} | null` : one;
}

function nameOf(type) {
  return type.parent instanceof protobuf.Type ? `${type.parent.name}${type.name}` : type.name;
}

function* declarations(namespace) {
  for (const item of namespace.nestedArray) {
    if (item instanceof protobuf.Type) {
      const fields = item.fieldsArray.map(field => {
        const optional = field.partOf ? '?' : '';
        return `  readonly ${field.name}${optional}: ${typeOf(field)};\n`;
      });
      yield fields.length === 0
        ? `export type ${nameOf(item)} = Readonly<Record<string, never>>;\n`
        : `export interface ${nameOf(item)} {\n${fields.join('')}}\n`;
    } else if (item instanceof protobuf.Enum) {
      yield `export type ${nameOf(item)} =\n${Object.keys(item.values)
        .map(name => `  | '${name}'`)
        .join('\n')};\n`;
    }
    if (item.nestedArray) yield* declarations(item);
  }
}

const types = [...declarations(root)].join('\n');
writeFileSync(join(target, 'messages.generated.ts'), `${NOTE}\n${types}`);

const descriptor = JSON.stringify(root.toJSON(), null, 2);
writeFileSync(join(target, 'descriptor.generated.ts'), `${NOTE}\nexport const descriptor: object = ${descriptor};\n`);
