/** The start of a minute, in Unix seconds. */
export const BASE = 1_700_000_040;
const MINUTES = 10;

const ENTITY = {layer: 'GENERAL', service: 'songs'};

/** Common metrics of one service with these names, a labeled one, and tied endpoints. `alter` may change each value. */
export function metricLines(
  names: readonly string[],
  alter: (name: string, minute: number, value: number) => number | undefined = (_n, _m, v) => v,
): string {
  const records: object[] = [];
  const sample = (metric: string, minute: number, value: number, more: object = {}): void => {
    const altered = alter(metric, minute, value);
    if (altered !== undefined)
      records.push({record: 'sample', metric, ...ENTITY, ...more, time: BASE + 60 * minute, value: altered});
  };
  for (const name of names) {
    records.push({record: 'metric', name, scope: 'Service', kind: 'common'});
    for (let minute = 0; minute < MINUTES; minute++) sample(name, minute, (minute + 1) / 3);
  }
  records.push({record: 'metric', name: 'percentile', scope: 'Service', kind: 'labeled', valueLabels: ['p']});
  for (const p of ['50', '99']) sample('percentile', 0, Number(p), {labels: {p}});
  records.push({record: 'metric', name: 'endpoint_cpm', scope: 'Endpoint', kind: 'common'});
  for (const endpoint of ['/a', '/b', '/c']) sample('endpoint_cpm', 0, 7, {endpoint});
  return records.map(record => `${JSON.stringify(record)}\n`).join('');
}

/** Traces of two spans. `alter` may change each span, or leave it out. */
export function spans(
  ids: readonly string[],
  alter: (span: Readonly<Record<string, unknown>>) => object | undefined = span => span,
): string {
  const all = ids.flatMap(traceId =>
    ['a', 'b'].map((letter, i) => ({
      traceId: traceId.repeat(16),
      id: letter.repeat(16),
      ...(i === 0 ? {} : {parentId: 'a'.repeat(16)}),
      name: 'get',
      kind: 'SERVER',
      timestamp: BASE * 1_000_000 + i,
      duration: 2000 - i,
      localEndpoint: {serviceName: 'songs'},
      tags: {'http.method': 'GET', 'http.url': '/a'},
    })),
  );
  return JSON.stringify(all.flatMap(span => alter(span) ?? []));
}

export const WINDOW = {start: String(BASE), end: String(BASE + 599)};

export const range = (name: string): Readonly<Record<string, string>> => ({
  query: `${name}{layer='GENERAL',service='songs'}`,
  ...WINDOW,
  step: '60',
});
