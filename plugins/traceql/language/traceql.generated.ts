// Generated automatically by nearley, version 2.20.1
// http://github.com/Hardmath123/nearley
// Bypasses TS6133. Allow declared but unused functions.
// @ts-ignore
function id(d: any[]): any { return d[0]; }
declare var and: any;
declare var attribute: any;
declare var compare: any;
declare var string: any;
declare var literal: any;

import {tokenTypes} from '../../../core/toolkit/language/token-feed.js';
import * as build from './build.js';

interface NearleyToken {
  value: any;
  [key: string]: any;
};

interface NearleyLexer {
  reset: (chunk: string, info: any) => void;
  next: () => NearleyToken | undefined;
  save: () => any;
  formatError: (token: never) => string;
  has: (tokenType: string) => boolean;
};

interface NearleyRule {
  name: string;
  symbols: NearleySymbol[];
  postprocess?: (d: any[], loc?: number, reject?: {}) => any;
};

type NearleySymbol = string | { literal: any } | { test: (token: any) => boolean };

interface Grammar {
  Lexer: NearleyLexer | undefined;
  ParserRules: NearleyRule[];
  ParserStart: string;
};

const grammar: Grammar = {
  Lexer: tokenTypes,
  ParserRules: [
    {"name": "query", "symbols": [{"literal":"{"}, {"literal":"}"}], "postprocess": () => []},
    {"name": "query", "symbols": [{"literal":"{"}, "conditions", {"literal":"}"}], "postprocess": d => d[1]},
    {"name": "conditions", "symbols": ["condition"], "postprocess": d => [d[0]]},
    {"name": "conditions", "symbols": ["conditions", (tokenTypes.has("and") ? {type: "and"} : and), "condition"], "postprocess": d => build.append(d[0], d[2])},
    {"name": "condition", "symbols": [(tokenTypes.has("attribute") ? {type: "attribute"} : attribute), (tokenTypes.has("compare") ? {type: "compare"} : compare), "value"], "postprocess": d => build.condition(d[0], d[1], d[2])},
    {"name": "value", "symbols": [(tokenTypes.has("string") ? {type: "string"} : string)], "postprocess": id},
    {"name": "value", "symbols": [(tokenTypes.has("literal") ? {type: "literal"} : literal)], "postprocess": id}
  ],
  ParserStart: "query",
};

export default grammar;
