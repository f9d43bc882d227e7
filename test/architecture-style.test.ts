import test from 'ava';
import {codeOf, isGenerated, product, type SourceFile} from './support/source-tree.js';

/** What is said to people: the texts of errors and of log lines, also where they are put together before. */
const SAID =
  /(?:new (?:GatewayError|ConfigError|Error)\(\s*(?:'[a-z_]+',\s*)?|\blog\.(?:debug|info|warn|error)\(\s*|\bmessage(?: =|:)\s*)([`'"])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Names that begin with a capital letter wherever they stand. */
const PROPER =
  /^(ClickHouse|PostgreSQL|BanyanDB|SQLite|Node|Zipkin|SkyWalking|ZooKeeper|Keeper|Prometheus|Tempo|OTLP|Unicode|JSON|TLS|HTTP|DNS|BUG|[A-Z_]{2,}|U\+)/;

/** In the words of the systems whose part is played. */
const OF_OTHERS = ['Agent registered successfully', 'Error occurred'];

const texts = (file: SourceFile): readonly string[] =>
  [...codeOf(file).matchAll(SAID)].map(match => match[2] ?? '').filter(text => !OF_OTHERS.includes(text));

interface StyleRule {
  readonly title: string;
  readonly breaks: (text: string) => boolean;
}

const RULES: readonly StyleRule[] = [
  {
    title: 'what is said begins in lower case, but for names',
    breaks: text => /^[A-Z]/.test(text) && !PROPER.test(text),
  },
  {title: 'what is said has no full stop at its end', breaks: text => /[^.]\.$/.test(text)},
  {title: 'what is said is one sentence; a semicolon joins two', breaks: text => /[a-z)"}]\. [A-Z]/.test(text)},
  {title: 'what a user wrote stands in double quotes', breaks: text => /(?<![\w)])'\$\{/.test(text)},
];

for (const {title, breaks} of RULES) {
  test(title, t => {
    const broken = product.flatMap(file =>
      texts(file)
        .filter(breaks)
        .map(text => `${file.path}: ${text}`),
    );
    t.deepEqual(broken, []);
  });
}

test('what is caught is called error, or cause where it becomes one', t => {
  const broken = product.flatMap(file =>
    [...codeOf(file).matchAll(/catch \((\w+)/g)]
      .filter(([, name]) => name !== 'error' && name !== 'cause')
      .map(([whole]) => `${file.path}: ${whole}`),
  );
  t.deepEqual(broken, []);
});

/** Where "go to symbol" should find one thing. */
test('no two files export a class or type of the same name', t => {
  const files = new Map<string, string[]>();
  for (const file of product) {
    if (isGenerated(file.path)) continue;
    for (const [, name = ''] of codeOf(file).matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm))
      files.set(name, [...(files.get(name) ?? []), file.path]);
  }
  const doubled = [...files].filter(([, paths]) => paths.length > 1);
  t.deepEqual(
    doubled.map(([name, paths]) => `${name}: ${paths.join(', ')}`),
    [],
  );
});
