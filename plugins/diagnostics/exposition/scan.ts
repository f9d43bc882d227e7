import {ScanError, shortened, skipBlanks} from './cursor.js';
import {unescapeHelp} from './escape.js';
import type {FamilyType, Labels} from './model.js';
import {scanSample} from './scan-sample.js';

/**
 * What a scan finds, in the order of the text. The strings may be slices of the text: whoever keeps one keeps all of it,
 * unless it is copied.
 */
export interface ScanSink {
  /** The last one of a name stands, wherever it is. */
  type(name: string, type: FamilyType): void;
  help(name: string, text: string): void;
  /** The series may have occurred before. Labels have distinct names, and values that are not empty. */
  sample(name: string, labels: Labels, value: number): void;
  /** A line that is no sample and no comment. */
  skip(problem: LineProblem): void;
}

/** What is wrong with a line. */
export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
  /** What stands there, shortened. */
  readonly text: string;
}

/**
 * Reads text of the format in one pass whose time is linear in its length. Lines may end in CRLF, the last one in
 * nothing; quoted UTF-8 names are read, timestamps and exemplars passed over. Never throws: a line of another form is
 * skipped, and at a value that is no number the scan ends and gives that: the whole text cannot be trusted then.
 */
export function scan(text: string, sink: ScanSink): LineProblem | undefined {
  let line = 0;
  for (let begin = 0; begin < text.length; ) {
    let end = text.indexOf('\n', begin);
    if (end < 0) end = text.length;
    line++;
    const failure = scanLine(text.slice(begin, end), line, sink);
    if (failure !== undefined) return failure;
    begin = end + 1;
  }
  return undefined;
}

const HASH = 0x23;
/** Characters of a line that a problem shows. */
const SHOWN = 80;

function scanLine(text: string, line: number, sink: ScanSink): LineProblem | undefined {
  const begin = skipBlanks(text, 0);
  if (begin === text.length) return undefined;
  if (text.charCodeAt(begin) === HASH) {
    scanComment(text.slice(begin), sink);
    return undefined;
  }
  try {
    scanSample(text, begin, sink);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    const problem = {line, message: error.message, text: shortened(text.trim(), SHOWN)};
    if (error.isFatal) return problem;
    sink.skip(problem);
  }
  return undefined;
}

const COMMENT = /^#[ \t]+(HELP|TYPE)[ \t]+(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))(?:[ \t]+(.*))?$/s;
const TYPES: ReadonlySet<string> = new Set<FamilyType>(['counter', 'gauge', 'histogram', 'summary']);

function scanComment(text: string, sink: ScanSink): void {
  const match = COMMENT.exec(text.trimEnd());
  if (match === null) return;
  const [, word, quoted, plain = '', rest = ''] = match;
  const name = quoted === undefined ? plain : quoted.replace(/\\([\\"])/g, '$1');
  if (word === 'HELP') {
    sink.help(name, unescapeHelp(rest));
    return;
  }
  const type = rest.toLowerCase();
  sink.type(name, TYPES.has(type) ? (type as FamilyType) : 'untyped');
}
