import {GatewayError} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {needsLabels} from '../model/metric-labels.js';
import {TRAFFIC_METRICS, type TrafficMetric} from '../model/traffic-metrics.js';
import {parseLimit} from './name-lists.js';
import {type LabelTest, passesAll, type SeriesSelector} from './series-selector.js';

/** A selector of a traffic metric, checked. */
export interface TrafficRequest {
  readonly metric: TrafficMetric;
  readonly layer: string;
  readonly service: string;
  readonly keyword: string;
  /** The selector's own `limit`, infinity for 0; undefined without one. */
  readonly limit: number | undefined;
  readonly nameTests: readonly LabelTest[];
}

/**
 * The traffic metrics that a selector selects. One that it names must carry the required labels; one that only a
 * pattern reaches is passed over without them.
 */
export function trafficRequests(selector: SeriesSelector): readonly TrafficRequest[] {
  return TRAFFIC_METRICS.filter(({name}) => passesAll(selector.nameTests, name)).flatMap(
    metric => trafficRequest(metric, selector) ?? [],
  );
}

function trafficRequest(
  metric: TrafficMetric,
  {metric: named, tests, position: start}: SeriesSelector,
): TrafficRequest | undefined {
  const values = new Map<string, string>();
  const nameTests: LabelTest[] = [];
  for (const matcher of tests) {
    const {label, operator, value, test, position} = matcher;
    if (label === metric.nameLabel) nameTests.push(matcher);
    else if (label === 'scope' || !metric.labels.includes(label)) {
      if (!test(label === 'scope' ? metric.scope : '')) return undefined;
    } else if (operator !== '=') {
      if (named === undefined) return undefined;
      const message = `${quote(label)} of ${quote(metric.name)} takes = only, and ${quote(operator)} was given`;
      throw new GatewayError('bad_request', message, {position});
    } else {
      if (values.has(label) && values.get(label) !== value) return undefined;
      values.set(label, value);
    }
  }
  const missing = metric.required.filter(label => !values.has(label));
  if (missing.length > 0) {
    if (named === undefined) return undefined;
    throw new GatewayError('bad_request', needsLabels(metric.name, missing), {position: start});
  }
  const limit = values.get('limit');
  return {
    metric,
    layer: values.get('layer') ?? '',
    service: values.get('service') ?? '',
    keyword: values.get('keyword') ?? '',
    limit: limit === undefined ? undefined : parseLimit(limit, `"limit" of ${quote(metric.name)}`),
    nameTests,
  };
}
