import type {Call, MetadataReader, MetricDefinition} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {MetricCatalog} from '../model/catalog.js';
import {BUILT_IN_LAYERS} from '../model/layers.js';
import {labelsOf} from '../model/metric-labels.js';
import {type LabelTest, passesAll, type SeriesSelector} from './series-selector.js';

/** How many metrics are looked at between two pauses. */
const METRICS_A_STEP = 8;

/**
 * The ordinary metrics of which a selector can select series: by their names and scopes, by which labels they have, and
 * by whether there is such a layer. What other values their entity labels have is not asked. A label that a metric
 * doesn't have is empty.
 */
export async function selectedMetrics(
  {nameTests, tests}: SeriesSelector,
  catalog: MetricCatalog,
  reader: MetadataReader,
  call: Call,
): Promise<readonly MetricDefinition[]> {
  const nowhere = new Set<string>();
  for (const test of tests) {
    if (LAYER_LABELS.has(test.label) && !(await namesLayer(test, reader, call))) nowhere.add(test.label);
  }
  const passes = (metric: MetricDefinition): boolean => {
    if (!passesAll(nameTests, metric.name)) return false;
    const labels = labelsOf(metric);
    return tests.every(({label, test}) => {
      if (label === 'scope') return test(metric.scope);
      return labels.includes(label) ? !nowhere.has(label) : test('');
    });
  };
  const selected: MetricDefinition[] = [];
  for (const [i, metric] of catalog.metrics.entries()) {
    if (passes(metric)) selected.push(metric);
    if (i % METRICS_A_STEP === 0) await pause(call);
  }
  return selected;
}

const LAYER_LABELS: ReadonlySet<string> = new Set(['layer', 'dest_layer']);

async function namesLayer({test}: LabelTest, reader: MetadataReader, call: Call): Promise<boolean> {
  return BUILT_IN_LAYERS.some(test) || (await reader.layers(call)).some(test);
}
