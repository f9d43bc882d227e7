import {readFileSync} from 'node:fs';
import test from 'ava';
import {ERROR_CODES, type ErrorCode, GatewayError} from '../../../core/api/errors.js';

test('docs/errors.md lists exactly the codes that exist', t => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(\w+)` +\|/gm)].map(match => match[1]);
  t.deepEqual(documented, [...ERROR_CODES]);
});

test('an error of another copy of the package is recognised by its brand', t => {
  const foreign = {[Symbol.for('query-gateway.GatewayError')]: true, code: 'timeout', message: 'late'};
  t.true(GatewayError.is(foreign));
  for (const value of [new Error('x'), null, undefined, 'x', {code: 'timeout'}]) t.false(GatewayError.is(value));
});

test('whatever is thrown becomes a gateway error that keeps its cause', t => {
  const own = new GatewayError('syntax', 'here', {position: {line: 1, column: 2}});
  t.is(GatewayError.from(own), own);
  const abort = new DOMException('gone', 'AbortError');
  const timeout = new DOMException('late', 'TimeoutError');
  const rows: readonly (readonly [unknown, ErrorCode])[] = [
    [abort, 'cancelled'],
    [timeout, 'timeout'],
    [new TypeError('x'), 'internal'],
    ['text', 'internal'],
  ];
  for (const [value, code] of rows) {
    const error = GatewayError.from(value);
    t.is(error.code, code);
    t.is(error.cause, value);
  }
});
