import test from 'ava';
import {codeOf, files, isGenerated, PRODUCT, product} from './support/source-tree.js';

const isOurs = (target: string): boolean => PRODUCT.test(target);
/** `plugins/ingest/formats/x.ts` → `plugins/ingest`. A file directly under `plugins` belongs to no plugin. */
const unitOf = (path: string): string | undefined => /^((?:plugins|storage-adapters)\/[^/]+)\//.exec(path)?.[1];

interface Rule {
  readonly title: string;
  /** Product files that the rule is about. */
  readonly of: (path: string) => boolean;
  readonly forbids: (target: string, path: string) => boolean;
}

/** A package that only some files may import. */
const only = (packages: readonly string[], where: string, allowed: (path: string) => boolean): Rule => ({
  title: `${packages.join(' and ')} ${packages.length > 1 ? 'are' : 'is'} imported only by ${where}`,
  of: path => !allowed(path),
  forbids: target => packages.includes(target),
});

const isCli = (path: string): boolean => path.startsWith('core/cli/') || /(^|\/)cli\.ts$/.test(path);
const isTable = (target: string): boolean => /^(plugins|storage-adapters)\/builtins\.ts$/.test(target);

const RULES: readonly Rule[] = [
  {
    title: 'core/api imports nothing of ours outside itself',
    of: path => path.startsWith('core/api/'),
    forbids: target => isOurs(target) && !target.startsWith('core/api/'),
  },
  {
    title: 'core/toolkit imports core/api and itself',
    of: path => path.startsWith('core/toolkit/'),
    forbids: target => isOurs(target) && !/^core\/(api|toolkit)\//.test(target),
  },
  {
    title: 'core imports plugins and adapters nowhere but in core/cli, and there through the two tables',
    of: path => path.startsWith('core/'),
    forbids: (target, path) =>
      isOurs(target) && !target.startsWith('core/') && !(path.startsWith('core/cli/') && isTable(target)),
  },
  {
    title:
      'a plugin imports core/api, core/toolkit and its own folder; a trace plugin plugins/traceql, the proxy plugins/diagnostics',
    of: path => path.startsWith('plugins/') && !path.startsWith('plugins/demo/') && !isTable(path) && !isCli(path),
    forbids: (target, path) =>
      isOurs(target) &&
      !/^core\/(api|toolkit)\//.test(target) &&
      unitOf(target) !== unitOf(path) &&
      !(path.startsWith('plugins/traceql') && target.startsWith('plugins/traceql/')) &&
      !(path.startsWith('plugins/diagnostics-proxy/') && target.startsWith('plugins/diagnostics/')),
  },
  {
    title: 'the demo imports core/api, core/toolkit, its own folder, plugins/diagnostics, and the agent',
    of: path => path.startsWith('plugins/demo/'),
    forbids: target =>
      isOurs(target) &&
      !/^(core\/(api|toolkit)|plugins\/(demo|diagnostics))\//.test(target) &&
      target !== 'diagnostics-agent/agent.ts',
  },
  {
    title: 'an adapter imports core/api, core/toolkit and its own folder',
    of: path => /^storage-adapters\/(?!conformance\/)/.test(path) && !isTable(path),
    forbids: (target, path) =>
      isOurs(target) && !/^core\/(api|toolkit)\//.test(target) && unitOf(target) !== unitOf(path),
  },
  {
    title: 'the conformance kit imports core/api, and of the host how it loads and validates; never a package',
    of: path => path.startsWith('storage-adapters/conformance/'),
    forbids: target =>
      !/^(core\/api|storage-adapters\/conformance)\//.test(target) &&
      !/^core\/config\/(config-error|load-module|validate)\.ts$/.test(target) &&
      !target.startsWith('node:'),
  },
  {
    title: 'the agent imports core/api, core/toolkit, plugins/diagnostics and itself; its command line core too',
    of: path => path.startsWith('diagnostics-agent/'),
    forbids: (target, path) =>
      isOurs(target) &&
      !/^(core\/(api|toolkit)|diagnostics-agent|plugins\/diagnostics)\//.test(target) &&
      !(target.startsWith('core/') && ['diagnostics-agent/cli.ts', 'diagnostics-agent/flags.ts'].includes(path)),
  },
  {
    title: 'the adapter contract loads neither the container nor the HTTP library',
    of: path => path.startsWith('core/api/') && !['core/api/tokens.ts', 'core/api/plugin.ts'].includes(path),
    forbids: target => ['tsyringe', 'reflect-metadata', 'fastify', 'core/api/tokens.ts'].includes(target),
  },
  {
    title: 'what runs in a browser imports its own folder and packages, never what belongs to Node.js',
    of: path => path.startsWith('plugins/console/web/'),
    forbids: target => target.startsWith('node:') || (isOurs(target) && !target.startsWith('plugins/console/web/')),
  },
  {
    title: 'nothing else imports what runs in a browser',
    of: path => !path.startsWith('plugins/console/web/'),
    forbids: target => target.startsWith('plugins/console/web/'),
  },
  only(['nearley', 'moo'], 'the language folders', path => path.includes('/language/')),
  only(['fastify'], 'core/http', path => path.startsWith('core/http/')),
  only(['tsyringe'], 'core/api/tokens.ts and core/host', path => /^core\/(api\/tokens\.ts|host\/)/.test(path)),
  only(['reflect-metadata'], 'core/api/tokens.ts', path => path === 'core/api/tokens.ts'),
  only(['undici'], 'adapters and the agent', path => /^(storage-adapters|diagnostics-agent)\//.test(path)),
  only(['preact', 'uplot'], 'plugins/console/web', path => path.startsWith('plugins/console/web/')),
  only(['better-sqlite3'], 'the embedded adapter', path => path.startsWith('storage-adapters/embedded/')),
  only(
    ['@opentelemetry/otlp-transformer', '@opentelemetry/otlp-transformer/build/src/trace/protobuf/index.js'],
    'plugins/traceql/otlp',
    path => path.startsWith('plugins/traceql/otlp/'),
  ),
];

test('the source tree is read', t => {
  t.true(files.some(file => file.path === 'core/api/plugin.ts' && file.imports.includes('core/api/tokens.ts')));
  t.true(files.some(file => file.path === 'core/api/tokens.ts' && file.imports.includes('tsyringe')));
});

for (const rule of RULES) {
  test(rule.title, t => {
    const broken = product
      .filter(file => rule.of(file.path))
      .flatMap(file =>
        file.imports.filter(target => rule.forbids(target, file.path)).map(to => `${file.path} → ${to}`),
      );
    t.deepEqual(broken, []);
  });
}

interface TextRule {
  readonly title: string;
  readonly pattern: RegExp;
  readonly allowed: (path: string) => boolean;
}

const TEXT_RULES: readonly TextRule[] = [
  {
    title:
      'the environment, signals and the exit belong to command line files, placeholders and the watch for a parent',
    // Not the name of an attribute, in quotes.
    pattern: /(?<!')\bprocess\.\w+/,
    allowed: path =>
      isCli(path) ||
      ['core/config/placeholders.ts', 'storage-adapters/embedded/integrity/watch-parent.ts'].includes(path),
  },
  {
    title: 'of the process, the lock of the embedded storage alone tells the number',
    pattern: /from '(node:)?process'/,
    allowed: path => path === 'storage-adapters/embedded/disk/lock.ts',
  },
  {
    title: 'the container resolves in core/host/plugin-host.ts alone',
    pattern: /ontainer\.resolve\(/,
    allowed: path => path === 'core/host/plugin-host.ts',
  },
  {
    title: 'core and plugins name no backend',
    pattern: /\b(sqlite|clickhouse|postgres(ql)?|banyandb)\b/i,
    // The layers and components of monitored systems include databases of these names, the wire contract its package's.
    allowed: path =>
      /^(storage-adapters|diagnostics-agent|plugins\/diagnostics\/proto)\//.test(path) ||
      ['plugins/promql-subset/model/layers.ts', 'plugins/traceql-native/component-names.ts'].includes(path),
  },
  {
    title: 'core names no query language',
    pattern: /\b(promql|traceql)\b/i,
    allowed: path => !path.startsWith('core/') || path.startsWith('core/cli/'),
  },
];

for (const rule of TEXT_RULES) {
  test(rule.title, t => {
    const broken = product
      .filter(file => !rule.allowed(file.path))
      .flatMap(file => {
        const hit = rule.pattern.exec(codeOf(file));
        return hit === null ? [] : [`${file.path}: ${hit[0]}`];
      });
    t.deepEqual(broken, []);
  });
}

const lines = (text: string): number => text.split('\n').length - 1;

test('no file is longer than 400 lines but generated ones', t => {
  const long = files.filter(file => !isGenerated(file.path) && lines(file.text) > 400);
  t.deepEqual(
    long.map(file => `${file.path}: ${lines(file.text)}`),
    [],
  );
});

test('the median product file is at most 130 lines', t => {
  const sizes = product
    .filter(file => !isGenerated(file.path))
    .map(file => lines(file.text))
    .sort((a, b) => a - b);
  t.true((sizes[Math.floor(sizes.length / 2)] ?? 0) <= 130, `median ${sizes[Math.floor(sizes.length / 2)]}`);
});

test('the contract files are about one third prose', t => {
  const api = files.filter(file => file.path.startsWith('core/api/'));
  const all = api.flatMap(file => file.text.split('\n').filter(line => line.trim() !== ''));
  const comment = all.filter(line => /^\s*(\/\*\*|\*|\/\/)/.test(line)).length;
  t.true(comment / all.length >= 0.3, `${comment} of ${all.length} lines`);
});

test('source files carry no loose ends', t => {
  // Put together here so that this file does not find itself.
  const words = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'];
  const found = files.flatMap(file =>
    words.filter(word => file.text.includes(word)).map(word => `${file.path}: ${word}`),
  );
  t.deepEqual(found, []);
});
