import {MS_PER_MINUTE} from '../../core/toolkit/time.js';
import type {DemoAddresses} from './grafana.js';
import {compatTraceId} from './shop/compat-spans.js';
import {nativeTraceId} from './shop/native-segments.js';
import {otlpTraceId} from './shop/otlp-spans.js';
import type {Request} from './shop/requests.js';

/** What to try, as commands for a shell that work as they are. */
export interface Suggestion {
  readonly title: string;
  readonly command: string;
}

/** `request`: one whose traces are stored. */
export function suggestions(addresses: DemoAddresses, request: Request): readonly Suggestion[] {
  return [
    ...metricSuggestions(addresses),
    ...traceSuggestions(addresses, request),
    ...diagnosticsSuggestions(addresses),
  ];
}

function metricSuggestions({metrics, ingest}: DemoAddresses): readonly Suggestion[] {
  const query = (expression: string): string =>
    `curl -s ${metrics}/api/v1/query --data-urlencode "query=${expression}"`;
  const lastHour = '-d start=$(($(date +%s) - 3600)) -d end=$(date +%s)';
  const sample = '{"record":"sample","metric":"service_cpm","layer":"GENERAL","service":"newcomer"';
  return [
    {title: 'the busiest services now', command: query("service_cpm{layer='GENERAL',top_n='5',order='DES'}")},
    {
      title: 'response time percentiles of one service, minute by minute',
      command: query("service_percentile{layer='GENERAL',service='checkout',p='50,95,99'}[30m]"),
    },
    {
      title: 'the share of failed calls in percent, from hundredths of a percent of good ones',
      command: query("100 - service_sla{layer='GENERAL',service='payment'} / 100"),
    },
    {
      title: 'the slowest instances of one service',
      command: query("service_instance_resp_time{layer='GENERAL',parent_service='storefront',top_n='3',order='DES'}"),
    },
    {
      title: 'who calls whom',
      command: query(
        "service_relation_client_cpm{layer='GENERAL',service='checkout',dest_layer='GENERAL',dest_service='payment'}",
      ),
    },
    {
      title: 'slow database statements',
      command: query(
        "top_n_database_statement{layer='VIRTUAL_DATABASE',parent_service='orders-db:3306',top_n='5',order='DES'}",
      ),
    },
    {
      title: 'the last hour of one endpoint',
      command: `curl -s ${metrics}/api/v1/query_range ${lastHour} --data-urlencode "query=endpoint_cpm{layer='GENERAL',service='cart',endpoint='GET:/cart'}"`,
    },
    {
      title: 'which services there are',
      command: `curl -s ${metrics}/api/v1/series ${lastHour} --data-urlencode "match[]=service_traffic{layer='GENERAL'}"`,
    },
    {
      title: 'a sample of your own',
      command: `curl -s -i ${ingest}/ingest/v1/metrics --data-binary '${sample},"time":'$(date +%s)',"value":42}'`,
    },
    {title: 'and its answer', command: query("service_cpm{layer='GENERAL',service='newcomer'}")},
  ];
}

function traceSuggestions({traces, ingest}: DemoAddresses, request: Request): readonly Suggestion[] {
  const search = (prefix: string, query: string, more = ''): string =>
    `curl -s -G ${traces}${prefix}/api/search --data-urlencode 'q=${query}' -d limit=3${more}`;
  const nativeId = Buffer.from(nativeTraceId(request)).toString('hex');
  const [id, now] = ['463ac35c9f6413ad', "'$(date +%s)'000000"];
  const span = `{"traceId":"${id}","id":"${id}","name":"mine","timestamp":${now},"duration":5000,"localEndpoint":{"serviceName":"newcomer"}}`;
  return [
    {title: 'failed payments', command: search('/compat', '{resource.service.name="payment" && status=error}')},
    {
      title: 'calls of the database, as agents saw them',
      command: search('/native', '{resource.service.name="checkout" && span.db.type="sql"}'),
    },
    {title: 'what took long', command: search('/native', '{span.http.method="POST"}', ' -d minDuration=100ms')},
    {title: 'what spans can be searched by', command: `curl -s ${traces}/compat/api/v2/search/tags`},
    {
      title: 'the status codes that there are',
      command: `curl -s ${traces}/native/api/v2/search/tag/span.http.status_code/values`,
    },
    {title: 'a whole trace', command: `curl -s ${traces}/compat/api/v2/traces/${compatTraceId(request)}`},
    {
      title: 'the same request as agents saw it; the id is the hex form of its bytes',
      command: `curl -s ${traces}/native/api/v2/traces/${nativeId}`,
    },
    {
      title: 'traces of OpenTelemetry by an attribute of their resource, with types and nanoseconds',
      command: search('/otlp', '{resource.service.name="cart" && span.http.response.status_code=200}'),
    },
    {
      title: 'the same request as an SDK of OpenTelemetry saw it',
      command: `curl -s ${traces}/otlp/api/v2/traces/${otlpTraceId(request)}`,
    },
    {title: 'a span of your own', command: `curl -s -i ${ingest}/api/v2/spans --data-binary '[${span}]'`},
    {title: 'and its trace', command: `curl -s ${traces}/compat/api/v2/traces/${id}`},
  ];
}

function diagnosticsSuggestions({diagnostics}: DemoAddresses): readonly Suggestion[] {
  const since = new Date(Date.now() - MS_PER_MINUTE).toISOString();
  return [
    {title: 'who is registered with the diagnostics proxy', command: `curl -s ${diagnostics}/agents`},
    {title: 'the metrics of one database node', command: `curl -s '${diagnostics}/metrics?pod_name=data-hot-0'`},
    {
      title: 'the data nodes since the demo began',
      command: `curl -s '${diagnostics}/metrics-windows?role=ROLE_DATA&start_time=${since}'`,
    },
    {title: 'who calls whom in the cluster', command: `curl -s ${diagnostics}/cluster/topology`},
    {title: 'how long data is kept, and what moved', command: `curl -s ${diagnostics}/cluster/lifecycle`},
  ];
}
