import type {Scope} from '../../../core/api/plugin.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {noise, slowdown} from './incidents.js';
import {apdex, callSla, cpm, instanceGauges, percentile, type Reading, respTime, sla} from './readings.js';
import {STATEMENTS} from './services.js';
import {
  databases,
  endpointRelations,
  endpoints,
  instanceRelations,
  instances,
  serviceRelations,
  services,
  type Target,
  tracedServiceRelations,
} from './targets.js';

/** The metrics whose names begin alike and that the same targets have. */
interface Family {
  readonly prefix: string;
  readonly scope: Scope;
  readonly targets: readonly Target[];
  readonly readings: readonly Reading[];
}

const FAMILIES: readonly Family[] = [
  {prefix: 'service_', scope: 'Service', targets: services, readings: [cpm, respTime, sla, apdex, percentile]},
  {prefix: 'database_access_', scope: 'Service', targets: databases, readings: [cpm, respTime, sla, percentile]},
  {prefix: 'service_instance_', scope: 'ServiceInstance', targets: instances, readings: [cpm, respTime, sla]},
  {prefix: 'instance_jvm_', scope: 'ServiceInstance', targets: instances, readings: instanceGauges},
  {prefix: 'endpoint_', scope: 'Endpoint', targets: endpoints, readings: [cpm, respTime, sla, percentile]},
  {
    prefix: 'service_relation_client_',
    scope: 'ServiceRelation',
    targets: serviceRelations,
    readings: [cpm, respTime, callSla, percentile],
  },
  {
    prefix: 'service_relation_server_',
    scope: 'ServiceRelation',
    targets: tracedServiceRelations,
    readings: [cpm, respTime, callSla],
  },
  {
    prefix: 'service_instance_relation_client_',
    scope: 'ServiceInstanceRelation',
    targets: instanceRelations,
    readings: [cpm, respTime],
  },
  {
    prefix: 'endpoint_relation_',
    scope: 'EndpointRelation',
    targets: endpointRelations,
    readings: [cpm, respTime],
  },
];

const STATEMENTS_METRIC = 'top_n_database_statement';

/** The declarations of all metrics, as lines. */
export function declarationLines(): readonly string[] {
  const declared = FAMILIES.flatMap(({prefix, scope, readings}) =>
    readings.map(({name, help, unit, rollup, label}) => ({
      record: 'metric',
      name: prefix + name,
      scope,
      ...(label === undefined ? {kind: 'common'} : {kind: 'labeled', valueLabels: [label]}),
      help,
      unit,
      rollup,
    })),
  );
  const statements = {record: 'metric', name: STATEMENTS_METRIC, scope: 'Service', kind: 'sampled-record'};
  return [...declared, {...statements, help: 'slow statements', unit: 'ms'}].map(record => JSON.stringify(record));
}

/** Everything that happened in one minute of the scene (counted from the Unix epoch), as lines. */
export function* minuteLines(minute: number): Generator<string> {
  const time = minute * SECONDS_PER_MINUTE;
  for (const {prefix, targets, readings} of FAMILIES) {
    for (const target of targets) {
      for (const reading of readings) {
        const sample = {record: 'sample', metric: prefix + reading.name, ...target.entity};
        const value = reading.read(target, minute);
        if (typeof value === 'number') {
          yield JSON.stringify({...sample, time, value});
          continue;
        }
        for (const [label, each] of value) {
          yield JSON.stringify({...sample, labels: {[reading.label ?? '']: label}, time, value: each});
        }
      }
    }
  }
  yield* slowStatements(minute);
}

function* slowStatements(minute: number): Generator<string> {
  for (const {entity, id} of databases) {
    for (const [number, content] of STATEMENTS.entries()) {
      const luck = noise(content, minute);
      const slow = slowdown(id, minute);
      // One at least, so that a question about the last minutes finds some.
      if (luck * slow < 0.5 && number !== minute % STATEMENTS.length) continue;
      const time = minute * SECONDS_PER_MINUTE + Math.floor(29.5 + 29.5 * noise(`second ${content}`, minute));
      const value = Math.round(slow * (40 + 25 * number + 120 * Math.max(luck, 0)));
      const traceId = `demo.${minute}.${number}`;
      yield JSON.stringify({
        record: 'sampled-record',
        metric: STATEMENTS_METRIC,
        ...entity,
        content,
        time,
        value,
        traceId,
      });
    }
  }
}
