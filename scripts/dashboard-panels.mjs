/** The JSON that Grafana wants around a dashboard and its panels (schema 39, Grafana 10 and later). */
const WIDTH = 24;

/** `queries`: an expression, or a list of [legend, expression]. */
export const graph = (title, unit, queries, more = {}) => ({
  type: 'timeseries',
  title,
  unit,
  queries,
  height: 8,
  ...more,
});
export const stat = (title, unit, queries, more = {}) => ({
  type: 'stat',
  title,
  unit,
  queries,
  height: 4,
  instant: true,
  ...more,
});
export const ranking = (title, unit, queries) => ({type: 'bargauge', title, unit, queries, height: 8, instant: true});
export const table = (title, queries) => ({type: 'table', title, queries, height: 8, instant: true});

function prometheusTargets({queries, instant = false, type}) {
  const list = typeof queries === 'string' ? [['__auto', queries]] : queries;
  return list.map(([legend, expr], i) => {
    return {
      refId: String.fromCharCode(65 + i),
      datasource: {type: 'prometheus', uid: '${datasource}'},
      expr,
      legendFormat: legend,
      instant,
      range: !instant,
      ...(type === 'table' && {format: 'table'}),
    };
  });
}

function tempoTargets({queries}) {
  return [queries].flat().map((query, i) => ({
    refId: String.fromCharCode(65 + i),
    datasource: {type: 'tempo', uid: '${datasource}'},
    queryType: 'traceql',
    query,
    limit: 20,
    tableType: 'traces',
    filters: [],
  }));
}

const OPTIONS = {
  bargauge: {
    displayMode: 'basic',
    orientation: 'horizontal',
    valueMode: 'text',
    reduceOptions: {calcs: ['lastNotNull']},
  },
  stat: {colorMode: 'none', graphMode: 'none', reduceOptions: {calcs: ['lastNotNull']}},
  timeseries: {legend: {displayMode: 'list', placement: 'bottom'}, tooltip: {mode: 'multi', sort: 'desc'}},
  table: {showHeader: true},
};

/** Rows of panels, each as wide as its row has room for. */
function panelsOf(rows, source) {
  const panels = [];
  let y = 0;
  for (const {title, panels: own} of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: {x: 0, y: y++, w: WIDTH, h: 1},
      panels: [],
    });
    const w = Math.floor(WIDTH / own.length);
    const h = Math.max(...own.map(({height}) => height));
    for (const [i, {type, title, unit, description, custom = {}, ...rest}] of own.entries()) {
      panels.push({
        id: panels.length + 1,
        type,
        title,
        ...(description && {description}),
        datasource: {type: source, uid: '${datasource}'},
        gridPos: {x: i * w, y, w, h},
        targets: source === 'tempo' ? tempoTargets(rest) : prometheusTargets({type, ...rest}),
        // Buckets of an hour lie further apart than Grafana expects of minutes.
        fieldConfig: {
          defaults: {...(unit && {unit}), custom: {...(type === 'timeseries' && {spanNulls: true}), ...custom}},
          overrides: [],
        },
        options: OPTIONS[type],
      });
    }
    y += h;
  }
  return panels;
}

export const variable = (name, query, more = {}) => ({
  name,
  type: 'query',
  datasource: {type: 'prometheus', uid: '${datasource}'},
  query: {query, refId: name},
  definition: query,
  refresh: 2,
  sort: 1,
  ...more,
});

export function dashboard(uid, title, description, source, {variables = [], rows, refresh = '1m', preferred}) {
  // Where there is none of that uid, Grafana takes its first.
  const current = {text: preferred, value: preferred};
  const chosen = {name: 'datasource', label: 'Data source', type: 'datasource', query: source, refresh: 1, current};
  return {
    uid,
    title,
    description,
    tags: ['query-gateway'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    timezone: 'browser',
    time: {from: 'now-1h', to: 'now'},
    refresh,
    templating: {list: [chosen, ...variables]},
    panels: panelsOf(rows, source),
  };
}
