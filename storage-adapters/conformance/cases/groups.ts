import type {Group} from '../group.js';
import {definition} from './definition.js';
import {DURABILITY} from './durability.js';
import {history, historyAgain} from './export/history.js';
import {METRIC_EXPORTS} from './export/metrics.js';
import {TRACE_EXPORTS} from './export/traces.js';
import {lifecycle} from './lifecycle.js';
import {longNames} from './long-names.js';
import {ends} from './metadata/ends.js';
import {names} from './metadata/names.js';
import {seen} from './metadata/seen.js';
import {tenThousandNames} from './metadata/ten-thousand.js';
import {version} from './metadata/version.js';
import {catalog} from './metrics/catalog.js';
import {concurrentMetadataReads, concurrentMetricReads} from './metrics/concurrent-reads.js';
import {declarations} from './metrics/declarations.js';
import {exactMeans, exactMeansAgain} from './metrics/exact-means.js';
import {fractions} from './metrics/fractions.js';
import {labeledValues} from './metrics/labeled-values.js';
import {latestTime} from './metrics/latest-time.js';
import {negativeZero, negativeZeroAgain} from './metrics/negative-zero.js';
import {overwriting} from './metrics/overwriting.js';
import {ranking} from './metrics/ranking.js';
import {relations} from './metrics/relations.js';
import {rollups} from './metrics/rollups.js';
import {sampledRecords} from './metrics/sampled-records.js';
import {tenThousand} from './metrics/ten-thousand.js';
import {valueLabels} from './metrics/value-labels.js';
import {values} from './metrics/values.js';
import {metricHistories, randomMetrics} from './random-metrics.js';
import {otlpHistories, randomOtlp} from './random-otlp.js';
import {compatHistories, nativeHistories, randomCompat, randomNative} from './random-traces.js';
import {AGAIN} from './restarts/again.js';
import {TORN} from './restarts/torn.js';
import {compatSpans} from './traces/compat-spans.js';
import {concurrentCompatReads, concurrentNativeReads, concurrentOtlpReads} from './traces/concurrent-reads.js';
import {compatInOrder, compatInOrderWriting, nativeInOrder, nativeInOrderWriting} from './traces/in-order.js';
import {compatListing, nativeListing, otlpListing} from './traces/listing.js';
import {compatMany, nativeMany, otlpMany} from './traces/many.js';
import {compatMatching, nativeMatching, otlpMatching} from './traces/matching.js';
import {microseconds} from './traces/microseconds.js';
import {nativeSegments} from './traces/native-segments.js';
import {otlpReplacing, otlpSpans} from './traces/otlp-spans.js';
import {otlpValues} from './traces/otlp-values.js';
import {compatSearching, nativeSearching, otlpSearching} from './traces/searching.js';
import {compatNulls, compatTexts, nativeNulls, nativeTexts, otlpNulls, otlpTexts} from './traces/texts.js';
import {compatWriting, nativeWriting, otlpWriting} from './traces/writing.js';

/** Every group of the kit, in the order in which they run: what others build on comes first. */
export const GROUPS: readonly Group[] = [
  definition,
  lifecycle,
  catalog,
  values,
  rollups,
  labeledValues,
  valueLabels,
  ranking,
  sampledRecords,
  fractions,
  exactMeans,
  negativeZero,
  overwriting,
  declarations,
  tenThousand,
  concurrentMetricReads,
  names,
  seen,
  ends,
  version,
  tenThousandNames,
  concurrentMetadataReads,
  relations,
  longNames,
  compatSearching,
  compatListing,
  compatSpans,
  microseconds,
  compatTexts,
  compatNulls,
  compatMany,
  compatMatching,
  compatInOrder,
  compatInOrderWriting,
  compatWriting,
  concurrentCompatReads,
  nativeSearching,
  nativeListing,
  nativeSegments,
  nativeTexts,
  nativeNulls,
  nativeMany,
  nativeMatching,
  nativeInOrder,
  nativeInOrderWriting,
  nativeWriting,
  concurrentNativeReads,
  otlpSearching,
  otlpListing,
  otlpSpans,
  otlpValues,
  otlpTexts,
  otlpNulls,
  otlpMany,
  otlpMatching,
  otlpWriting,
  otlpReplacing,
  concurrentOtlpReads,
  randomMetrics,
  metricHistories,
  randomCompat,
  compatHistories,
  randomNative,
  nativeHistories,
  randomOtlp,
  otlpHistories,
  latestTime,
  exactMeansAgain,
  negativeZeroAgain,
  ...AGAIN,
  ...DURABILITY,
  ...TORN,
  ...METRIC_EXPORTS,
  ...TRACE_EXPORTS,
  // Last, because samples of before are not taken after them.
  history,
  historyAgain,
];
