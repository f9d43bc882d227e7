/**
 * Compiles the checks of the schemas that come with this package: of the gateway's own part of the configuration, of the
 * access file, and of the built-in components with their listeners. `npm run build` runs it behind the compiler.
 */
import {writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {builtins} from '../dist/core/cli/builtins.js';
import {ACCESS_FILE} from '../dist/core/config/access.js';
import {CHECK_OPTIONS} from '../dist/core/config/check-options.js';
import {ADMIN, ENVELOPE, entrySchema, listenerSchema} from '../dist/core/config/envelope.js';
import {namedComponents} from '../dist/core/config/schema.js';

const require = createRequire(import.meta.url);
const {Ajv} = require('ajv');
const {default: standaloneCode} = require('ajv/dist/standalone');

const {plugins, adapters} = await namedComponents({}, builtins, '.');
const schemas = [
  ENVELOPE,
  ACCESS_FILE,
  listenerSchema(ADMIN, undefined),
  listenerSchema('of no plugin', undefined),
  ...Object.values(plugins).flatMap(plugin => [
    plugin.configSchema,
    entrySchema(plugin),
    listenerSchema(plugin.listener.name, plugin.listener),
  ]),
  ...Object.values(adapters).map(adapter => adapter.configSchema),
];

const texts = [...new Set(schemas.map(schema => JSON.stringify(schema)))];
const ajv = new Ajv({...CHECK_OPTIONS, code: {...CHECK_OPTIONS.code, source: true, esm: true}});
for (const [index, text] of texts.entries()) ajv.addSchema(JSON.parse(text), `check${index}`);
const code = standaloneCode(ajv, Object.fromEntries(texts.map((_, index) => [`check${index}`, `check${index}`])));
writeFileSync(
  new URL('../dist/core/config/compiled-checks.js', import.meta.url),
  // What checks share with Ajv is asked for as in CommonJS, also by a module.
  `import {createRequire} from 'node:module';
const require = createRequire(import.meta.url);
${code}
export const compiledChecks = new Map([
${texts.map((text, index) => `  [${JSON.stringify(text)}, check${index}],`).join('\n')}
]);
`,
);
