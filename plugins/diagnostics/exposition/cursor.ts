/** Why a line is no sample. */
export class ScanError extends Error {
  override readonly name = 'ScanError';
  /** Whether the rest of the text cannot be trusted either. */
  readonly isFatal: boolean;

  constructor(message: string, isFatal = false) {
    super(message);
    this.isFatal = isFatal;
  }
}

/** For a message: the text up to so many characters. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d;

/** The first position from `at` that is no space, tab or carriage return. */
export function skipBlanks(text: string, at: number): number {
  let position = at;
  while (position < text.length && isBlank(text.charCodeAt(position))) position++;
  return position;
}

/** The position after the run of characters from `at` that are neither blank nor, after the first, a hash sign. */
export function endOfToken(text: string, at: number): number {
  let position = at;
  while (position < text.length && !isBlank(text.charCodeAt(position))) position++;
  return position;
}

const LETTER = 1;
const COLON = 2;
const DIGIT = 4;
/** What each ASCII character may be in a name. */
const KINDS = Uint8Array.from({length: 128}, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) return LETTER;
  if (character === ':') return COLON;
  return /\d/.test(character) ? DIGIT : 0;
});

/** The position after the metric name that begins at `at`; `at` itself when none does. */
export function endOfMetricName(text: string, at: number): number {
  return endOfName(text, at, LETTER | COLON);
}

/** The position after the label name that begins at `at`; `at` itself when none does. */
export function endOfLabelName(text: string, at: number): number {
  return endOfName(text, at, LETTER);
}

function endOfName(text: string, at: number, first: number): number {
  let allowed = first;
  let position = at;
  // Beyond the text the code is NaN, and beyond ASCII there is no kind: both end the name.
  while (((KINDS[text.charCodeAt(position)] ?? 0) & allowed) !== 0) {
    position++;
    allowed = first | DIGIT;
  }
  return position;
}

/** The position of the quotation mark that closes the one at `at`, passing over escaped ones. */
export function closingQuote(text: string, at: number): number {
  for (let position = at + 1; ; position++) {
    position = text.indexOf('"', position);
    if (position < 0) throw new ScanError('a quotation mark is not closed');
    let backslashes = 0;
    while (text.charCodeAt(position - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return position;
  }
}
