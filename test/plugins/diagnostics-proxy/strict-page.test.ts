import test from 'ava';
import {readStrictly} from './support/strict-page.js';

const REFUSED: readonly (readonly [page: string, reason: RegExp])[] = [
  ['a 1', /no end/],
  ['a{__name__="b"} 1\n', /__name__/],
  ['a{b="1",b="2"} 1\n', /twice/],
  ['a{b="1",} 1\n', /a label name/],
  ['a{b.c="1"} 1\n', /a value/],
  ['1a 1\n', /a metric name/],
  ['a{b="\\t"} 1\n', /end of a value/],
  ['a nan\n', /no number/],
  ['a Inf\n', /no number/],
  ['a 0x10\n', /no number/],
  ['a 1 2 3\n', /more follows/],
  ['a 1\na 2\n', /twice/],
  ['a{b="1",c="2"} 1\na{c="2",b="1"} 2\n', /twice/],
  ['# TYPE a gauge\n# TYPE a gauge\n', /second TYPE/],
  ['# HELP a x\n# HELP a y\n', /second HELP/],
  ['# HELP a x\\d\n', /more follows/],
  ['a 1\n# TYPE a gauge\n', /after its samples/],
  ['# TYPE a Gauge\n', /a type/],
  ['# TYPE  histogram\n', /a metric name/],
  ['a 1\nb 1\na{c="1"} 1\n', /begins again/],
  ['# TYPE h histogram\nh_bucket{le="x"} 1\n', /no number: x/],
  ['# TYPE h histogram\nh_bucket{le="1e999"} 1\n', /no number/],
  ['# TYPE h histogram\nh_bucket 1\n', /without le/],
  ['# TYPE s summary\ns{quantile="half"} 1\n', /no number: half/],
  ['# TYPE h histogram\nh_bucket{le="1"} 1\n# TYPE h_count counter\n', /after its samples/],
];

for (const [page, reason] of REFUSED) {
  test(`the strict reader of the tests refuses ${JSON.stringify(page)}`, t => {
    t.throws(() => readStrictly(page), {message: reason});
  });
}

test('the strict reader of the tests takes a page that is right', t => {
  const page =
    '# HELP h a \\\\ and\\nmore\n# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 1e+21\nh_count 2\n' +
    '# TYPE s summary\ns{quantile="0.5"} NaN\ns_sum -0\ns_bucket 1\nx{a="\\\\ \\" \\n }, é"} -Inf\n';
  t.is(readStrictly(page).length, 8);
});
