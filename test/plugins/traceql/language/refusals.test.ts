import test from 'ava';
import {withScene} from '../support.js';

const scene = withScene(test);

const ONE = 'a query has one spanset in braces';

/** A query, and the error. */
const QUERIES: readonly (readonly [query: string, error: string])[] = [
  // What does not parse.
  ['{', 'found the end, expected "}" or an attribute (line 1, column 2)'],
  ['}', 'found "}", expected "{" (line 1, column 1)'],
  ['frontend', 'found "frontend", expected "{" (line 1, column 1)'],
  ['name="a"', 'found "name", expected "{" (line 1, column 1)'],
  ['{resource.service.name="a"', 'found the end, expected && or "}" (line 1, column 27)'],
  ['{name="a" && }', 'found "}", expected an attribute (line 1, column 14)'],
  ['{name="a" &&\n  && kind=server}', 'found "&&", expected an attribute (line 2, column 3)'],
  ['{name "a"}', 'found "a", expected a comparison (line 1, column 7)'],
  ['{name=}', 'found "}", expected a quoted value or a value (line 1, column 7)'],
  ['{name="a"} x', 'found "x", expected the end (line 1, column 12)'],
  ['{name="a" name="b"}', 'found "name", expected && or "}" (line 1, column 11)'],
  ['{name="a, && kind=server}', 'the string that " opens has no end (line 1, column 7)'],
  [
    '{name="a\nb"}',
    'the string that " opens goes over a line break: write \\n, or put it in backticks (line 1, column 7)',
  ],
  [
    '{span."a\nb"=`c`}',
    'the string that " opens goes over a line break: write \\n, or put it in backticks (line 1, column 2)',
  ],
  ['{resource="x"}', '"resource" is a scope and no attribute: write resource.service.name (line 1, column 2)'],
  [
    '{span = "x"}',
    '"span" is a scope and no attribute: write span. and the name of a tag, as in span.http.method (line 1, column 2)',
  ],
  ['{event="x"}', 'the scope "event" is not in this subset: it has span and resource (line 1, column 2)'],
  ['{ /* name="a"}', 'the comment that /* opens has no end (line 1, column 3)'],
  [String.raw`{name="\q"}`, String.raw`"\q" is not an escape: write \\ for a backslash (line 1, column 7)`],
  [String.raw`{name="\xff"}`, String.raw`the escapes in "\xff" do not make valid UTF-8 (line 1, column 7)`],

  // Attributes.
  ['{http.method="GET"}', '"http.method" is no attribute: write span.http.method for a tag (line 1, column 2)'],
  ['{span.="x"}', '"span." lacks the name of the attribute (line 1, column 2)'],
  ['{span.""="x"}', String.raw`"span.\"\"" lacks the name of the attribute (line 1, column 2)`],
  [
    '{resource.instance="x"}',
    'the attribute "resource.instance" is not in this subset: of resource it has service.name (line 1, column 2)',
  ],
  [
    '{event.name="x"}',
    'the scope "event" of "event.name" is not in this subset: it has span and resource (line 1, column 2)',
  ],
  ['{link.a="x"}', 'the scope "link" of "link.a" is not in this subset: it has span and resource (line 1, column 2)'],
  [
    '{parent.span.a="x"}',
    'the scope "parent" of "parent.span.a" is not in this subset: it has span and resource (line 1, column 2)',
  ],
  [
    '{name="a" && traceDuration>1s}',
    'the intrinsic "traceDuration" is not in this subset: it has name, status, kind and duration (line 1, column 14)',
  ],
  [
    '{trace:id="x"}',
    'the intrinsic "trace:id" is not in this subset: it has name, status, kind and duration (line 1, column 2)',
  ],
  [
    '{event:name="x"}',
    'the intrinsic "event:name" is not in this subset: it has name, status, kind and duration (line 1, column 2)',
  ],

  // Operators.
  [
    '{span.http.method!="GET"}',
    '"!=" (inequality) is not in this subset: attributes take =, duration also >, >=, < and <= (line 1, column 18)',
  ],
  [
    '{name=~"f.*"}',
    '"=~" (matching a regular expression) is not in this subset: attributes take =, duration also >, >=, < and <= (line 1, column 6)',
  ],
  [
    '{name!~"f.*"}',
    '"!~" (matching a regular expression) is not in this subset: attributes take =, duration also >, >=, < and <= (line 1, column 6)',
  ],
  ['{span.x>5}', '">" compares duration alone: "span.x" takes = (line 1, column 8)'],
  ['{status<=error}', '"<=" compares duration alone: "status" takes = (line 1, column 8)'],
  ['{name="a" || name="b"}', '"||" is not in this subset: conditions are joined by && (line 1, column 11)'],
  ['{!span.foo="x"}', 'negation ("!") is not in this subset (line 1, column 2)'],
  ['{not span.k="1"}', 'negation ("not") is not in this subset (line 1, column 2)'],
  ['{not (span.k="1")}', 'negation ("not") is not in this subset (line 1, column 2)'],
  [
    '{name="a" and kind=server}',
    '"and" is not in this subset: attributes take =, conditions are joined by && (line 1, column 11)',
  ],
  [
    '{span.a in ("x", "y")}',
    '"in" is not in this subset: attributes take =, conditions are joined by && (line 1, column 9)',
  ],
  ['{(name="a" || name="b")}', '"||" is not in this subset: conditions are joined by && (line 1, column 12)'],
  [
    '{(span.a="x" && (span.b!="y"))}',
    '"!=" (inequality) is not in this subset: attributes take =, duration also >, >=, < and <= (line 1, column 24)',
  ],
  [
    '{kind=server && (name="a") && !span.b="c"}',
    'parentheses around conditions are not in this subset (line 1, column 17)',
  ],
  ['{((name="a"', 'parentheses around conditions are not in this subset (line 1, column 2)'],
  ['{count() > 2}', 'the function "count()" is not in this subset (line 1, column 2)'],
  ['{kind=server && (avg(duration) > 1s)}', 'the function "avg()" is not in this subset (line 1, column 18)'],
  [
    '{span.a != nil}',
    '"!= nil" (existence) is not in this subset: attributes take =, duration also >, >=, < and <= (line 1, column 9)',
  ],
  ['{name="a" >> name="b"}', 'the structural operator ">>" is not in this subset (line 1, column 11)'],
  ['{name ~ "a"}', 'the structural operator "~" is not in this subset (line 1, column 7)'],
  [
    '{instrumentation:version="1"}',
    'the intrinsic "instrumentation:version" is not in this subset: it has name, status, kind and duration (line 1, column 2)',
  ],
  [
    '{link:spanID="1"}',
    'the intrinsic "link:spanID" is not in this subset: it has name, status, kind and duration (line 1, column 2)',
  ],
  ['{rootName}', 'the existence check "rootName" is not in this subset: compare it with = (line 1, column 2)'],
  ['{(name="a")}', 'parentheses around conditions are not in this subset (line 1, column 2)'],
  ['{span.foo}', 'the existence check "span.foo" is not in this subset: compare it with = (line 1, column 2)'],
  ['{.a && name="b"}', 'the existence check ".a" is not in this subset: compare it with = (line 1, column 2)'],
  ['{span.a = nil}', '"nil" is not in this subset (line 1, column 11)'],
  [
    '{span.a = span.b}',
    'comparing with an attribute ("span.b") is not in this subset: compare with a value, text in quotes (line 1, column 11)',
  ],
  [
    '{duration > traceDuration}',
    'comparing with an attribute ("traceDuration") is not in this subset: compare with a value, text in quotes (line 1, column 13)',
  ],
  ['{-duration < 1s}', 'arithmetic ("-") is not in this subset (line 1, column 2)'],
  ['{duration*2 > 1s}', 'arithmetic ("*") is not in this subset (line 1, column 2)'],
  ['{duration > 1s*2}', 'arithmetic ("*") is not in this subset (line 1, column 13)'],
  ['{duration > 1s -500ms}', 'arithmetic ("-") is not in this subset (line 1, column 16)'],
  ['{duration ^ 2 > 1s}', 'arithmetic ("^") is not in this subset (line 1, column 11)'],
  ['{"a" = name}', 'a value ("a") before a comparison is not in this subset (line 1, column 2)'],
  ['{span.a + 1 = 2}', 'arithmetic ("+") is not in this subset (line 1, column 9)'],
  ['{1s < duration}', 'a value ("1s") before a comparison is not in this subset (line 1, column 2)'],
  ['{true}', 'a value ("true") before a comparison is not in this subset (line 1, column 2)'],

  // Spansets and pipelines.
  ['{name="a"} && {name="b"}', `"&&" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} || {name="b"}', `"||" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} >> {name="b"}', `">>" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} > {name="b"}', `">" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} !>> {name="b"}', `"!>>" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} &~ {name="b"}', `"&~" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} {name="b"}', `a second spanset is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} !~ {name="b"}', `"!~" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['{name="a"} and {name="b"}', `"and" between spansets is not in this subset: ${ONE} (line 1, column 12)`],
  ['!{name="a"}', 'negation ("!") is not in this subset (line 1, column 1)'],
  ['({name="a"} || {name="b"})', `"||" between spansets is not in this subset: ${ONE} (line 1, column 13)`],
  ['({name="a"} | count()) > 2', 'the pipeline "| count" is not in this subset (line 1, column 13)'],
  ['({name="a"} {name="b"})', `a second spanset is not in this subset: ${ONE} (line 1, column 13)`],
  ['{name="a"} ({name="b"})', `a second spanset is not in this subset: ${ONE} (line 1, column 12)`],
  ['count() > 2', 'the function "count()" is not in this subset (line 1, column 1)'],
  ['rate({name="a"})', 'the function "rate()" is not in this subset (line 1, column 1)'],
  ['({name="a"})', `parentheses around spansets are not in this subset: ${ONE} (line 1, column 1)`],
  ['{name="a"} | count() > 2', 'the pipeline "| count" is not in this subset (line 1, column 12)'],
  ['{} | rate()', 'the pipeline "| rate" is not in this subset (line 1, column 4)'],
  ['{} | avg(duration) > 1s', 'the pipeline "| avg" is not in this subset (line 1, column 4)'],
  ['{} | select(span.a)', 'the pipeline "| select" is not in this subset (line 1, column 4)'],
  ['{} |', 'the pipeline "|" is not in this subset (line 1, column 4)'],
  ['{} with (most_recent=true)', 'hints ("with") are not in this subset (line 1, column 4)'],

  // Values.
  ['{resource.service.name=a}', 'the value "a" needs quotes (line 1, column 24)'],
  ['{name="a" && span.env=prod-eu}', 'the value "prod-eu" needs quotes (line 1, column 23)'],
  ['{span.a=100ms}', 'the value "100ms" needs quotes (line 1, column 9)'],
  ['{status=x}', '"x" is no status; expected one of ok, error, unset (line 1, column 9)'],
  ['{status=""}', '"" is no status; expected one of ok, error, unset (line 1, column 9)'],
  [
    '{status="SPAN_KIND_SERVER"}',
    '"SPAN_KIND_SERVER" is no status; expected one of ok, error, unset (line 1, column 9)',
  ],
  [
    '{kind=servr}',
    '"servr" is no kind; expected one of server, client, producer, consumer, internal, unspecified; did you mean "server"? (line 1, column 7)',
  ],
  [
    '{duration>99999999999h}',
    'the duration "99999999999h" is too large: at most 9007199254740991us (line 1, column 11)',
  ],
  ...['100ns', '1d', '1w', '1y', '1h30', '30m1', '-5ms', '1e3ms', '.5s', '5.ms', '5MS', 'abc'].map(
    text =>
      [
        `{duration>${text}}`,
        `"${text}" is no duration: write a number and one of us, ms, s, m, h, as in 100ms (line 1, column 11)`,
      ] as const,
  ),
  [
    '{duration>"10ms"}',
    '"10ms" is no duration: write a number and one of us, ms, s, m, h, as in 100ms (line 1, column 11)',
  ],
  ['{duration>1h 30m}', 'found "30m", expected && or "}" (line 1, column 14)'],
  ['{duration>10 ms}', 'found "ms", expected && or "}" (line 1, column 14)'],

  // Bounds.
  [`{name="${'a'.repeat(16_377)}"}`, 'the query is longer than limits.queryLength, 16384 bytes'],
  [`{name="${'ä'.repeat(8_189)}"}`, 'the query is longer than limits.queryLength, 16384 bytes'],
  ['('.repeat(201), 'the query nests deeper than limits.nesting, 200 levels (line 1, column 201)'],
  ['{'.repeat(201), 'the query nests deeper than limits.nesting, 200 levels (line 1, column 201)'],
];

for (const [query, error] of QUERIES) {
  const title = query.length > 60 ? `${query.slice(0, 60)}… of ${query.length} characters` : query;
  test(`refused: ${title}`, async t => {
    t.is(await scene.search(query), `400 ${error}`);
  });
}
