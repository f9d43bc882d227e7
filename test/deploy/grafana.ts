import {readFileSync} from 'node:fs';
import {get} from '../support/http.js';

/** Of a dashboard, what decides on the requests that Grafana sends for it. */
export interface Dashboard {
  readonly templating: {readonly list: readonly Variable[]};
  readonly panels: readonly Panel[];
}

interface Variable {
  readonly name: string;
  readonly type: 'datasource' | 'query' | 'textbox';
  /** Of a text box what stands in it. */
  readonly query: string | {readonly query?: string; readonly label?: string};
  readonly includeAll?: boolean;
  /** What is chosen when the dashboard is opened, if it is in the list. */
  readonly current?: {readonly value: string};
  readonly allValue?: string;
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly Target[];
}

interface Target {
  readonly datasource: {readonly type: 'prometheus' | 'tempo'};
  readonly expr?: string;
  readonly instant?: boolean;
  readonly query?: string;
  readonly limit?: number;
}

/** A request of a panel, with its variables filled in. */
export interface PanelQuery {
  readonly panel: string;
  readonly text: string;
  readonly url: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export function readDashboard(name: string): Dashboard {
  const file = new URL(`../../../deploy/grafana/dashboards/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Dashboard;
}

type Values = Readonly<Record<string, string>>;

function fill(text: string, values: Values): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const value = values[braced ?? bare ?? ''];
    if (value === undefined) throw new Error(`${whole} in ${text} is no variable of the dashboard`);
    return value;
  });
}

/** The last hour, in Unix seconds. */
export function lastHour(): {readonly start: string; readonly end: string} {
  const end = Math.floor(Date.now() / 1000);
  return {start: `${end - 3600}`, end: `${end}`};
}

/** `label_values(selector, label)` by both ways in which versions of Grafana ask for it. */
async function labelValues(url: string, selector: string | undefined, label: string): Promise<readonly string[]> {
  if (selector === undefined)
    return (await get(`${url}/api/v1/label/${label}/values`, lastHour())).json<{data: string[]}>().data;
  const window = {'match[]': selector, ...lastHour()};
  const byLabel = (await get(`${url}/api/v1/label/${label}/values`, window)).json<{data: string[]}>().data;
  const series = (await get(`${url}/api/v1/series`, window)).json<{data: Record<string, string>[]}>().data;
  const bySeries = new Set(series.flatMap(labels => labels[label] ?? []));
  const sorted = [...byLabel].sort();
  if (String(sorted) !== String([...bySeries].sort())) throw new Error(`${selector}: series and labels differ`);
  return sorted;
}

/** The values of a tag, by the scope in which the data source finds it. */
async function tagValues(url: string, label: string): Promise<readonly string[]> {
  const {scopes} = (await get(`${url}/api/v2/search/tags`, lastHour())).json<{
    scopes: {name: string; tags: string[]}[];
  }>();
  const scope = scopes.find(({tags}) => tags.includes(label))?.name;
  const path = `${url}/api/v2/search/tag/${scope}.${label}/values`;
  return (await get(path, lastHour()))
    .json<{tagValues: {value: string}[]}>()
    .tagValues.map(({value}) => value)
    .sort();
}

/** Of each variable the value that a dashboard that is opened begins with, or what is typed over it. */
export async function variablesOf({templating}: Dashboard, url: string, typed: Values = {}): Promise<Values> {
  let values: Values = {datasource: '', __rate_interval: '1m'};
  for (const {name, type, query, includeAll, allValue, current} of templating.list) {
    if (type === 'datasource') continue;
    if (typeof query === 'string') {
      values = {...values, [name]: typed[name] ?? query};
      continue;
    }
    const [, selector, label] = /^label_values\((?:(.*), )?(\w+)\)$/.exec(query.query ?? '') ?? [];
    const found =
      label === undefined
        ? await tagValues(url, query.label ?? '')
        : await labelValues(url, selector === undefined ? undefined : fill(selector, values), label);
    const chosen = found.find(value => value === (typed[name] ?? current?.value)) ?? found[0];
    if (chosen === undefined) throw new Error(`the variable ${name} has no value`);
    values = {...values, [name]: includeAll === true && allValue !== undefined ? allValue : chosen};
  }
  return values;
}

/** What a dashboard asks for when it is opened. */
export function queriesOf({panels}: Dashboard, url: string, values: Values): readonly PanelQuery[] {
  return panels.flatMap(({title, targets = []}) =>
    targets.map(({datasource, expr = '', instant, query = '', limit}) => {
      const text = fill(datasource.type === 'tempo' ? query : expr, values);
      const {start, end} = lastHour();
      if (datasource.type === 'tempo') {
        return {
          panel: title,
          text,
          url: `${url}/api/search`,
          // A day, in which something has failed whenever that is.
          parameters: {q: text, limit: `${limit}`, spss: '3', start: `${Number(end) - 86_400}`, end},
        };
      }
      const path = instant === true ? 'query' : 'query_range';
      const times = instant === true ? {time: end} : {start, end, step: '60'};
      return {panel: title, text, url: `${url}/api/v1/${path}`, parameters: {query: text, ...times}};
    }),
  );
}
