import {existsSync, readFileSync} from 'node:fs';
import test from 'ava';
import * as time from '../core/toolkit/time.js';

const url = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(url(path), 'utf8');

const FACTORS: Readonly<Record<string, number>> = {KiB: 2 ** 10, MiB: 2 ** 20, s: 1000, bytes: 1};

/** `1,000`, `64 MiB`, `15 s` (milliseconds in the code). */
function documented(value: string): number {
  const [, digits = '', unit = 'bytes'] = /^([\d,]+)(?: (\w+))?$/.exec(value) ?? [];
  return Number(digits.replaceAll(',', '')) * (FACTORS[unit] ?? Number.NaN);
}

/** The value of a constant that is written with numbers and the units of time of the toolkit. */
function inCode(path: string, name: string): number | undefined {
  const expression = new RegExp(`^(?:export )?const ${name} = ([^;]+);`, 'm').exec(read(path))?.[1];
  if (expression === undefined) return undefined;
  const value = (term: string): number => Number(term.replaceAll('_', '')) || Number(Reflect.get(time, term));
  const factors = expression.split(/ \* /).map(factor => {
    const [base = '', exponent] = factor.split(' ** ');
    return exponent === undefined ? value(base) : value(base) ** value(exponent);
  });
  return factors.reduce((product, factor) => product * factor, 1);
}

const rows = [...read('docs/limits.md').matchAll(/^\|([^|]*)\|([^|]*)\|[^|]*\| `([^`]+)` `(\w+)` \|$/gm)];

test('every row of the page of limits names a constant', t => {
  const lines = read('docs/limits.md').split('\n');
  const bodies = lines.filter(line => line.startsWith('|') && !/^\| limit |^\|---/.test(line));
  t.is(rows.length, bodies.length);
});

for (const [, limit = '', value = '', path = '', name = ''] of rows) {
  test(`the documented limit is that of the code: ${path} ${name}${limit.trim() && `, ${limit.trim()}`}`, t => {
    t.true(existsSync(url(path)), path);
    t.is(inCode(path, name), documented(value.trim()));
  });
}
