// Generated automatically by nearley, version 2.20.1
// http://github.com/Hardmath123/nearley
// Bypasses TS6133. Allow declared but unused functions.
// @ts-ignore
function id(d: any[]): any { return d[0]; }
declare var compare: any;
declare var bool: any;
declare var sign: any;
declare var factor: any;
declare var duration: any;
declare var number: any;
declare var aggregator: any;
declare var grouping: any;
declare var name: any;
declare var match: any;
declare var string: any;

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
    {"name": "expression", "symbols": ["comparison"], "postprocess": id},
    {"name": "comparison", "symbols": ["sum"], "postprocess": id},
    {"name": "comparison", "symbols": ["comparison", (tokenTypes.has("compare") ? {type: "compare"} : compare), "sum"], "postprocess": d => build.binary(d[0], d[1], false, d[2])},
    {"name": "comparison", "symbols": ["comparison", (tokenTypes.has("compare") ? {type: "compare"} : compare), (tokenTypes.has("bool") ? {type: "bool"} : bool), "sum"], "postprocess": d => build.binary(d[0], d[1], true, d[3])},
    {"name": "sum", "symbols": ["product"], "postprocess": id},
    {"name": "sum", "symbols": ["sum", (tokenTypes.has("sign") ? {type: "sign"} : sign), "product"], "postprocess": d => build.binary(d[0], d[1], false, d[2])},
    {"name": "product", "symbols": ["operand"], "postprocess": id},
    {"name": "product", "symbols": ["product", (tokenTypes.has("factor") ? {type: "factor"} : factor), "operand"], "postprocess": d => build.binary(d[0], d[1], false, d[2])},
    {"name": "operand", "symbols": ["number"], "postprocess": id},
    {"name": "operand", "symbols": ["instant"], "postprocess": id},
    {"name": "operand", "symbols": ["instant", {"literal":"["}, (tokenTypes.has("duration") ? {type: "duration"} : duration), {"literal":"]"}], "postprocess": d => build.range(d[0], d[2])},
    {"name": "operand", "symbols": ["aggregation"], "postprocess": id},
    {"name": "operand", "symbols": [{"literal":"("}, "expression", {"literal":")"}], "postprocess": d => build.parentheses(d[1])},
    {"name": "number", "symbols": [(tokenTypes.has("number") ? {type: "number"} : number)], "postprocess": d => build.number(d[0])},
    {"name": "number", "symbols": [(tokenTypes.has("sign") ? {type: "sign"} : sign), (tokenTypes.has("number") ? {type: "number"} : number)], "postprocess": d => build.number(d[1], d[0])},
    {"name": "aggregation", "symbols": [(tokenTypes.has("aggregator") ? {type: "aggregator"} : aggregator), {"literal":"("}, "expression", {"literal":")"}], "postprocess": d => build.aggregation(d[0], d[2], undefined)},
    {"name": "aggregation", "symbols": [(tokenTypes.has("aggregator") ? {type: "aggregator"} : aggregator), "grouping", {"literal":"("}, "expression", {"literal":")"}], "postprocess": d => build.aggregation(d[0], d[3], d[1])},
    {"name": "aggregation", "symbols": [(tokenTypes.has("aggregator") ? {type: "aggregator"} : aggregator), {"literal":"("}, "expression", {"literal":")"}, "grouping"], "postprocess": d => build.aggregation(d[0], d[2], d[4])},
    {"name": "grouping", "symbols": [(tokenTypes.has("grouping") ? {type: "grouping"} : grouping), {"literal":"("}, {"literal":")"}], "postprocess": d => build.grouping(d[0], [])},
    {"name": "grouping", "symbols": [(tokenTypes.has("grouping") ? {type: "grouping"} : grouping), {"literal":"("}, "labels", {"literal":")"}], "postprocess": d => build.grouping(d[0], d[2])},
    {"name": "grouping", "symbols": [(tokenTypes.has("grouping") ? {type: "grouping"} : grouping), {"literal":"("}, "labels", {"literal":","}, {"literal":")"}], "postprocess": d => build.grouping(d[0], d[2])},
    {"name": "labels", "symbols": [(tokenTypes.has("name") ? {type: "name"} : name)], "postprocess": d => [d[0].value]},
    {"name": "labels", "symbols": ["labels", {"literal":","}, (tokenTypes.has("name") ? {type: "name"} : name)], "postprocess": d => build.append(d[0], d[2].value)},
    {"name": "instant", "symbols": [(tokenTypes.has("name") ? {type: "name"} : name)], "postprocess": d => build.selector(d[0], [])},
    {"name": "instant", "symbols": [(tokenTypes.has("name") ? {type: "name"} : name), "matchers"], "postprocess": d => build.selector(d[0], d[1])},
    {"name": "series", "symbols": ["instant"], "postprocess": id},
    {"name": "series", "symbols": ["matchers"], "postprocess": d => build.selector(undefined, d[0])},
    {"name": "matchers", "symbols": [{"literal":"{"}, {"literal":"}"}], "postprocess": () => []},
    {"name": "matchers", "symbols": [{"literal":"{"}, "matcherList", {"literal":"}"}], "postprocess": d => d[1]},
    {"name": "matchers", "symbols": [{"literal":"{"}, "matcherList", {"literal":","}, {"literal":"}"}], "postprocess": d => d[1]},
    {"name": "matcherList", "symbols": ["matcher"], "postprocess": d => [d[0]]},
    {"name": "matcherList", "symbols": ["matcherList", {"literal":","}, "matcher"], "postprocess": d => build.append(d[0], d[2])},
    {"name": "matcher", "symbols": [(tokenTypes.has("name") ? {type: "name"} : name), (tokenTypes.has("match") ? {type: "match"} : match), (tokenTypes.has("string") ? {type: "string"} : string)], "postprocess": d => build.matcher(d[0], d[1], d[2])}
  ],
  ParserStart: "expression",
};

export default grammar;
