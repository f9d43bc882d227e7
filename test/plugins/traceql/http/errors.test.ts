import {readFileSync} from 'node:fs';
import test from 'ava';
import {ERROR_CODES, type ErrorCode, GatewayError} from '../../../../core/api/plugin.js';
import {renderError} from '../../../../plugins/traceql/http/errors.js';

test('each code has the status that the documentation says', t => {
  const text = readFileSync(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8');
  const documented = new Map([...text.matchAll(/^\| `(\w+)` \|.*\| (\d+) \|$/gm)].map(row => [row[1], Number(row[2])]));
  for (const code of ERROR_CODES)
    t.is(renderError(new GatewayError(code, 'x')).status, documented.get(code) ?? 0, code);
});

const bodyOf = (code: ErrorCode, message: string, position?: {line: number; column: number}): unknown =>
  JSON.parse(String(renderError(new GatewayError(code, message, {...(position && {position})})).body));

test('an error has one key, and ends in its place', t => {
  t.deepEqual(bodyOf('bad_request', 'say "please"'), {error: 'say "please"'});
  t.deepEqual(bodyOf('syntax', 'unexpected x', {line: 2, column: 5}), {error: 'unexpected x (line 2, column 5)'});
});
