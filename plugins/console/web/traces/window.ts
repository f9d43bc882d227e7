/** The part of a trace that the waterfall shows, in microseconds from its begin. */
export interface ShownTime {
  readonly from: number;
  readonly to: number;
}

/** As an address holds it: `120-4500`. */
export function windowFrom(text: string | null, length: number): ShownTime {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '').split('-').map(Number);
  return from >= 0 && to > from && from < length ? {from, to: Math.min(to, length)} : {from: 0, to: length};
}

/** Undefined for the whole. */
export function windowText({from, to}: ShownTime, length: number): string | undefined {
  return from <= 0 && to >= length ? undefined : `${Math.round(from * 1000) / 1000}-${Math.round(to * 1000) / 1000}`;
}
