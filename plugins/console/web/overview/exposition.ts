export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];
export type Families = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of a page in the Prometheus text format, by their name. */
export function parseFamilies(text: string): Families {
  const families = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const match = LINE.exec(line);
    if (match === null || line.startsWith('#')) continue;
    const [, name = '', labels = '', value = ''] = match;
    const entries = [...labels.matchAll(LABEL)].map(([, key = '', raw = '']) => [key, unescaped(raw)] as const);
    const sample: Sample = [Object.fromEntries(entries), numberOf(value)];
    const family = families.get(name);
    if (family === undefined) families.set(name, [sample]);
    else family.push(sample);
  }
  return families;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  return Number(text);
}
