import test from 'ava';
import type {ErrorCode} from '../../../core/api/adapter.js';
import {ServerError} from '../../../storage-adapters/clickhouse/client/server-error.js';

const URL = 'http://ch:8123';

const ADVICE: readonly (readonly [text: string, code: ErrorCode, end: RegExp])[] = [
  [
    'Code: 75, e.displayText() = DB::ErrnoException: Cannot write to file /d/start.mrk, errno: 28, strerror: No space left on device, e.what() = DB::ErrnoException',
    'storage_failed',
    /DB::ErrnoException; its disk is full: free some space or shorten the retention$/,
  ],
  ['Code: 243. DB::Exception: Cannot reserve 1.00 MiB.', 'storage_failed', /MiB; its disk is full: /],
  [
    "Code: 60, e.displayText() = DB::Exception: Table g.minutes doesn't exist.",
    'storage_failed',
    /exist; run "query-gateway check --connect" once with createSchema true$/,
  ],
  [
    'Code: 164, e.displayText() = DB::Exception: Cannot override setting (max_execution_time) in readonly mode',
    'storage_failed',
    /mode; the profile of the user must allow settings to be changed \(readonly 0 or 2\)$/,
  ],
  ['Code: 252. DB::Exception: Too many parts', 'overloaded', /parts; try again in a second$/],
  ['Code: 159. DB::Exception: Timeout exceeded!', 'timeout', /exceeded!$/],
];

for (const [text, code, end] of ADVICE) {
  test(`the answer '${text.slice(0, 50)}' is told with what to do`, t => {
    const error = new ServerError(text).toGatewayError(URL);
    t.is(error.code, code);
    t.true(error.message.startsWith(`ClickHouse at ${URL}: ${text.replace(/\.$/, '')}`), error.message);
    t.regex(error.message, end);
  });
}
