import protobuf from 'protobufjs';

/** Begins with a lower case letter in every part; what follows names a message. */
const PACKAGE = /^[a-z]\w*(\.[a-z]\w*)*(?=\.[A-Z]|$)/;
const packageOf = (path: string): string => PACKAGE.exec(path)?.[0] ?? '';

/** Messages and enums of a descriptor, each as `package|name: fields`, in the form of the tables of the tests. */
export function descriptorRows(descriptor: object): readonly string[] {
  const root = protobuf.Root.fromJSON(descriptor as protobuf.INamespace).resolveAll();
  return [...rows(root)].filter(row => !row.startsWith('google.')).sort();
}

/** The same of a table: lines `package x` and `name: 1 field type; …`, `*` is repeated, `?oneof:x` is a member of x. */
export function tableRows(table: string): readonly string[] {
  const found: string[] = [];
  let within = '';
  for (const line of table.trim().split('\n')) {
    if (line.startsWith('package ')) within = line.slice('package '.length);
    else found.push(`${within}|${line}`);
  }
  return found.sort();
}

function* rows(namespace: protobuf.NamespaceBase): Generator<string> {
  for (const item of namespace.nestedArray) {
    const own = packageOf(item.fullName.slice(1));
    const name = item.fullName.slice(own.length + 2);
    if (item instanceof protobuf.Enum) {
      const values = Object.entries(item.values).map(([word, id]) => `${word}=${id}`);
      yield `${own}|enum ${name}: ${values.join(' ')}`;
    }
    if (item instanceof protobuf.Type) {
      const fields = item.fieldsArray.map(field => fieldRow(field, own));
      yield `${own}|${name}:${fields.length === 0 ? '' : ' '}${fields.join('; ')}`;
    }
    if (item instanceof protobuf.Namespace) yield* rows(item);
  }
}

function fieldRow(field: protobuf.Field, own: string): string {
  const one = typeName(field, own);
  const type = field instanceof protobuf.MapField ? `map<${field.keyType},${one}>` : one;
  const oneof = field.partOf === null ? '' : ` ?oneof:${field.partOf.name}`;
  return `${field.id} ${field.name} ${type}${field.repeated ? '*' : ''}${oneof}`;
}

/** Short within its package, and a timestamp everywhere. */
function typeName({resolvedType, type}: protobuf.Field, own: string): string {
  if (resolvedType === null) return type;
  const full = resolvedType.fullName.slice(1);
  if (full === 'google.protobuf.Timestamp') return 'Timestamp';
  return full.startsWith(`${own}.`) ? full.slice(own.length + 1) : full;
}
