/** What the form shows of a query. The other conditions stay in its text. */
export interface Form {
  readonly service: string;
  readonly name: string;
  /** As the language writes durations: `100ms`. */
  readonly minimum: string;
  readonly isFailed: boolean;
}

export const EMPTY_FORM: Form = {service: '', name: '', minimum: '', isFailed: false};

type Field = keyof Form;

const PATTERNS: readonly (readonly [Field, RegExp])[] = [
  ['service', /^resource\.service\.name\s*=\s*("(?:[^"\\]|\\.)*")$/],
  ['name', /^name\s*=\s*("(?:[^"\\]|\\.)*")$/],
  ['minimum', /^duration\s*>=?\s*([\d.]+(?:ns|us|µs|ms|s|m|h))$/],
  ['isFailed', /^status\s*=\s*(error)$/],
];

/** The parts of a query between its braces; undefined where it is more than conditions joined by `&&`. */
export function conditionsOf(query: string): readonly string[] | undefined {
  const inner = /^\s*\{([\s\S]*)\}\s*$/.exec(query)?.[1];
  if (inner === undefined) return query.trim() === '' ? [] : undefined;
  const parts: string[] = [];
  let from = 0;
  let quote = '';
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at] ?? '';
    if (quote !== '') {
      if (char === '\\' && quote === '"') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === '`') quote = char;
    else if (/[{}|()]/.test(char) && inner.slice(at, at + 2) !== '&&') return undefined;
    else if (inner.slice(at, at + 2) === '&&') {
      parts.push(inner.slice(from, at));
      from = at + 2;
    }
  }
  return [...parts, inner.slice(from)].map(part => part.trim()).filter(part => part !== '');
}

/** What the form shows of a text; undefined where it can show none of it. */
export function formOf(query: string): Form | undefined {
  const conditions = conditionsOf(query);
  if (conditions === undefined) return undefined;
  const form: Record<string, string | boolean> = {...EMPTY_FORM};
  for (const condition of conditions) {
    const [field, value] = fieldOf(condition) ?? [];
    if (field !== undefined && value !== undefined) form[field] = field === 'isFailed' ? true : value;
  }
  return form as unknown as Form;
}

/** The text with what the form says in it; conditions that the form does not know stay behind. */
export function withForm(query: string, form: Form): string {
  const others = (conditionsOf(query) ?? []).filter(condition => fieldOf(condition) === undefined);
  const own = [
    ...(form.service === '' ? [] : [`resource.service.name=${JSON.stringify(form.service)}`]),
    ...(form.name === '' ? [] : [`name=${JSON.stringify(form.name)}`]),
    ...(form.minimum === '' ? [] : [`duration>=${form.minimum}`]),
    ...(form.isFailed ? ['status=error'] : []),
  ];
  const all = [...own, ...others];
  return all.length === 0 ? '' : `{${all.join(' && ')}}`;
}

function fieldOf(condition: string): readonly [Field, string] | undefined {
  for (const [field, pattern] of PATTERNS) {
    const text = pattern.exec(condition)?.[1];
    if (text === undefined) continue;
    if (!text.startsWith('"')) return [field, text];
    try {
      return [field, JSON.parse(text) as string];
    } catch {
      return undefined;
    }
  }
  return undefined;
}
