@preprocessor typescript
@{%
import {tokenTypes} from '../../../core/toolkit/language/token-feed.js';
import * as build from './build.js';
%}
@lexer tokenTypes

# One spanset filter, its conditions joined by &&. The list recurses on the left, because a right recursion costs the
# parser quadratic time. What only the full language has is refused before.

query -> "{" "}" {% () => [] %}
  | "{" conditions "}" {% d => d[1] %}

conditions -> condition {% d => [d[0]] %}
  | conditions %and condition {% d => build.append(d[0], d[2]) %}

condition -> %attribute %compare value {% d => build.condition(d[0], d[1], d[2]) %}

value -> %string {% id %}
  | %literal {% id %}
