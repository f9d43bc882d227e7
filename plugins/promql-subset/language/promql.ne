@preprocessor typescript
@{%
import {tokenTypes} from '../../../core/toolkit/language/token-feed.js';
import * as build from './build.js';
%}
@lexer tokenTypes

# The subset, in the precedence of the full language, every level applied from the left. Lists recurse on the left,
# because a right recursion costs the parser quadratic time. What only the full language has is refused before.

expression -> comparison {% id %}

comparison -> sum {% id %}
  | comparison %compare sum {% d => build.binary(d[0], d[1], false, d[2]) %}
  | comparison %compare %bool sum {% d => build.binary(d[0], d[1], true, d[3]) %}

sum -> product {% id %}
  | sum %sign product {% d => build.binary(d[0], d[1], false, d[2]) %}

product -> operand {% id %}
  | product %factor operand {% d => build.binary(d[0], d[1], false, d[2]) %}

operand -> number {% id %}
  | instant {% id %}
  | instant "[" %duration "]" {% d => build.range(d[0], d[2]) %}
  | aggregation {% id %}
  | "(" expression ")" {% d => build.parentheses(d[1]) %}

number -> %number {% d => build.number(d[0]) %}
  | %sign %number {% d => build.number(d[1], d[0]) %}

aggregation -> %aggregator "(" expression ")" {% d => build.aggregation(d[0], d[2], undefined) %}
  | %aggregator grouping "(" expression ")" {% d => build.aggregation(d[0], d[3], d[1]) %}
  | %aggregator "(" expression ")" grouping {% d => build.aggregation(d[0], d[2], d[4]) %}

grouping -> %grouping "(" ")" {% d => build.grouping(d[0], []) %}
  | %grouping "(" labels ")" {% d => build.grouping(d[0], d[2]) %}
  | %grouping "(" labels "," ")" {% d => build.grouping(d[0], d[2]) %}

labels -> %name {% d => [d[0].value] %}
  | labels "," %name {% d => build.append(d[0], d[2].value) %}

instant -> %name {% d => build.selector(d[0], []) %}
  | %name matchers {% d => build.selector(d[0], d[1]) %}

# The start symbol for match[], where a selector may begin with its braces.
series -> instant {% id %}
  | matchers {% d => build.selector(undefined, d[0]) %}

matchers -> "{" "}" {% () => [] %}
  | "{" matcherList "}" {% d => d[1] %}
  | "{" matcherList "," "}" {% d => d[1] %}

matcherList -> matcher {% d => [d[0]] %}
  | matcherList "," matcher {% d => build.append(d[0], d[2]) %}

matcher -> %name %match %string {% d => build.matcher(d[0], d[1], d[2]) %}
