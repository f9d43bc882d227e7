/**
 * How many characters `run` looks at through the functions of texts and regular expressions, which is all that a scanner
 * can do with a text. Unlike time, it is the same on every machine and under every load.
 */
export function countWork(run: () => void): number {
  let work = 0;
  const restore: (() => void)[] = [];
  const replace = <T extends object, K extends keyof T>(target: T, name: K, cost: Cost): void => {
    const original = target[name] as unknown as (...args: unknown[]) => unknown;
    restore.push(() => {
      target[name] = original as unknown as T[K];
    });
    target[name] = function counted(this: unknown, ...args: unknown[]) {
      const result = original.apply(this, args);
      work += cost(this, args, result);
      return result;
    } as unknown as T[K];
  };
  const whole: Cost = self => String(self).length;
  replace(String.prototype, 'charCodeAt', () => 1);
  replace(String.prototype, 'slice', (_, __, result) => (result as string).length);
  replace(String.prototype, 'indexOf', (self, [, from], result) => {
    const begin = (from as number | undefined) ?? 0;
    return ((result as number) < 0 ? String(self).length : (result as number)) - begin + 1;
  });
  for (const name of ['includes', 'replace', 'trimEnd', 'toLowerCase', 'startsWith', 'endsWith'] as const) {
    replace(String.prototype, name, whole);
  }
  // Matching by one of the scanner's expressions is linear: no part of them can take what the next one could.
  replace(RegExp.prototype, 'exec', (_, [text]) => String(text).length);
  replace(RegExp.prototype, 'test', (_, [text]) => String(text).length);
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return work;
}

type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number;
