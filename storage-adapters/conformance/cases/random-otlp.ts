import type {Readers} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {otlp} from '../data/otlp-format.js';
import {RandomOtlpTraces} from '../random/otlp-traces.js';
import {Random} from '../random/random.js';
import type {RandomTraces} from '../random/traces.js';
import {randomGroups} from './random-traces.js';

/** Beside each source of random traces, one of what only OTLP has. */
const sources = new WeakMap<RandomTraces, RandomOtlpTraces>();

function of(traces: RandomTraces): RandomOtlpTraces {
  const known = sources.get(traces) ?? new RandomOtlpTraces(new Random(10), traces);
  sources.set(traces, known);
  return known;
}

export const [randomOtlp, otlpHistories] = randomGroups(
  {
    kind: otlp,
    fragment: random => of(random).span(),
    id: random => random.otlpId(),
    write: (oracle, spans) => oracle['ingest.otlp.v1'].write(spans, call),
    identity: ({traceId, spanId}) => JSON.stringify([traceId, spanId]),
    filter: random => of(random).filter(),
    attribute: random => random.attribute(),
    more: (random, request) => {
      const attribute = of(random).attribute();
      const limited = {...request, attribute, limit: 1 + (request.filter.length % 4)};
      return [
        {
          about: `keys of resources of ${JSON.stringify(request)}`,
          ask: async readers => [...(await readers['traces.otlp.v1'].tagKeys({...request, scope: 'resource'}, call))],
        },
        ...[limited, {...limited, limit: 1000}].map(values => ({
          about: `typed values of ${JSON.stringify(values)}`,
          ask: async (readers: Required<Readers>) => [
            ...(await readers['traces.otlp.v1'].attributeValues(values, call)),
          ],
        })),
      ];
    },
  },
  50,
);
