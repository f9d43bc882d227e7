import test from 'ava';
import {complete} from '../../../../core/toolkit/yielder.js';
import {parseQuery} from '../../../../plugins/traceql/language/parse.js';
import {parsePartial} from '../../../../plugins/traceql/language/partial-parse.js';
import {print} from '../../../../plugins/traceql/language/print.js';
import {isTraceQL} from './lezer.js';

const LIMITS = {queryLength: 16_384, nesting: 200};

/** A query, and its canonical form. */
const QUERIES: readonly (readonly [query: string, canonical: string])[] = [
  ['{}', '{}'],
  [' { } ', '{}'],
  ['{.service.name="a"}', '{resource.service.name="a"}'],
  ['{ resource.service = "a" }', '{resource.service.name="a"}'],
  ['{resource.service.name=`a`}', '{resource.service.name="a"}'],
  ["{name='a'}", '{name="a"}'],
  ['{span:name="a"&&span:kind=server}', '{name="a" && kind=server}'],
  ['{span.name="a"}', '{span.name="a"}'],
  ['{.name="a"}', '{span.name="a"}'],
  ['{.http.method="GET"}', '{span.http.method="GET"}'],
  [
    '{span.http.status_code=200 && span.ok=true && span.x=-1.50}',
    '{span.http.status_code="200" && span.ok="true" && span.x="-1.50"}',
  ],
  ['{span.service.name="a"}', '{span.service.name="a"}'],
  ['{span.a=""}', '{span.a=""}'],
  ['{span."foo bar"="x"}', '{span."foo bar"="x"}'],
  ['{span.foo."bar baz".qux="x"}', '{span."foo.bar baz.qux"="x"}'],
  ['{span."plain"="x"}', '{span.plain="x"}'],
  ['{."service.name"="x"}', '{resource.service.name="x"}'],
  ['{span.a-b/c:d@e*f="x"}', '{span."a-b/c:d@e*f"="x"}'],
  ['{span.1a="x" && span.ä="y"}', '{span."1a"="x" && span."ä"="y"}'],
  ['{span.and="x" && span.true="y" && span.duration="z"}', '{span.and="x" && span.true="y" && span.duration="z"}'],
  [String.raw`{name="a\"b\\c\n\t\x41\u00e9\U0001F600\101\xc3\xa9"}`, '{name=`a"b\\c\n\tA\u00e9\u{1F600}A\u00e9`}'],
  ['{name="\\n" && span.a=`b\nc`}', '{name=`\n` && span.a=`b\nc`}'],
  ['{name=`a\\n`}', String.raw`{name="a\\n"}`],
  ['{name="a && b | {c} /* d */"}', '{name="a && b | {c} /* d */"}'],
  ['{ // a comment\n name="a" /* another */ }', '{name="a"}'],
  ['{status=error}', '{status=error}'],
  ['{status="STATUS_CODE_OK"}', '{status=ok}'],
  ['{status=Unset && kind="SPAN_KIND_CLIENT"}', '{status=unset && kind=client}'],
  ['{kind="Internal" && kind=span_kind_unspecified}', '{kind=internal && kind=unspecified}'],
  ['{duration>100}', '{duration>100us}'],
  ['{duration=0}', '{duration=0us}'],
  ['{duration>=1.5us && duration<=1.5ms && duration<1.5s}', '{duration>=1.5us && duration<=1500us && duration<1500ms}'],
  ['{duration>60s && duration>60m && duration>90m}', '{duration>1m && duration>1h && duration>90m}'],
  ['{duration>1s400ms && duration<=1h1m1.5s}', '{duration>1400ms && duration<=3661500ms}'],
  ['{duration>5µs && duration<5μs}', '{duration>5us && duration<5us}'],
  ['{duration>4.35ms && duration>1.005s && duration>0.1h}', '{duration>4350us && duration>1005ms && duration>6m}'],
  ['{duration>0.0000001us}', '{duration>0.0000001us}'],
  ['{name="a" && name="b"}', '{name="a" && name="b"}'],
];

for (const [query, canonical] of QUERIES) {
  test(`printed: ${query}`, t => {
    const conditions = complete(parseQuery(query, LIMITS));
    t.is(print(conditions), canonical);
    t.deepEqual(complete(parseQuery(canonical, LIMITS)), conditions);
    t.true(isTraceQL(canonical));
  });
}

/** Text that is being typed, and what is left of it. */
const TYPED: readonly (readonly [text: string, rest: string])[] = [
  ['', '{}'],
  ['{', '{}'],
  ['}', '{}'],
  ['frontend', '{}'],
  ['name="a"', '{}'],
  ['{ span.foo = }', '{}'],
  ['{span.http.method=}', '{}'],
  ['{ span.foo="bar" && name= }', '{span.foo="bar"}'],
  ['{ name= && span.foo="bar" }', '{span.foo="bar"}'],
  ['{span.foo="bar" && ', '{span.foo="bar"}'],
  ['{span.foo="bar" && span.', '{span.foo="bar"}'],
  ['{span.foo="bar" && name="unfinished', '{span.foo="bar"}'],
  ['{span.foo="bar" && name="unfinished}', '{span.foo="bar"}'],
  ['{span.foo="bar" && /* unfinished', '{span.foo="bar"}'],
  ['{name="a" && span.b!="c" && span.d=~"e" && kind=server}', '{name="a" && kind=server}'],
  ['{name="a" && event.b="c" && resource.d="e" && traceDuration>1s && status=x && duration>1d}', '{name="a"}'],
  ['{name="a" && !span.b="c" && span.d && (span.e="f") && span.g=h}', '{name="a"}'],
  ['{name="a" && (span.b="c" || span.b="d")}', '{name="a"}'],
  ['{(name="a" || name="b") && kind=server}', '{kind=server}'],
  ['{name="a" || name="b"}', '{}'],
  ['{name="a" && kind=server || name="b"}', '{}'],
  ['{name="a" || name="b" && kind=server}', '{kind=server}'],
  ['{name="a"} | count() > 2', '{name="a"}'],
  ['{name="a"} && {name="b"}', '{}'],
  ['{name="a"} >> {name="b"}', '{}'],
  ['{name="a" {name="b"}}', '{}'],
];

for (const [text, rest] of TYPED) {
  test(`typed so far: ${text}`, t => {
    t.is(print(complete(parsePartial(text, LIMITS))), rest);
  });
}
