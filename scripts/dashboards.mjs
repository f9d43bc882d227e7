/**
 * Writes the dashboards of `deploy/grafana/dashboards`, or into the folder that is given: `npm run dashboards`. A row here is a
 * row of panels there; the JSON that Grafana wants around them is in `dashboard-panels.mjs`.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {dashboard, graph, ranking, stat, table, variable} from './dashboard-panels.mjs';

const folder = process.argv[2] ?? 'deploy/grafana/dashboards';
/** The Prometheus that watches the gateway, as deploy/grafana/provisioning has it. */
const MONITORING = 'query-gateway-monitoring';

const JOB = 'job="$job",instance=~"$instance"';
const rate = (metric, labels = '') => `rate(${metric}{${JOB}${labels && `,${labels}`}}[$__rate_interval])`;
const quantile = (q, metric, by, labels) =>
  `histogram_quantile(${q}, sum by (le, ${by}) (${rate(`${metric}_bucket`, labels)}))`;
/** What is answered with a failure: not what the storage cannot do (501), and not what is refused to stay up (503). */
const FAILED = 'status=~"5..",status!~"501|503"';
const instances = job => [
  {
    name: 'job',
    label: 'Job',
    type: 'textbox',
    query: job,
    current: {text: job, value: job},
    options: [{text: job, value: job, selected: true}],
  },
  variable('instance', 'label_values(up{job="$job"}, instance)', {
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: {text: 'All', value: '$__all'},
  }),
];

const gateway = dashboard(
  'query-gateway',
  'query-gateway',
  'The gateway itself, by what its admin listener tells Prometheus.',
  'prometheus',
  {
    refresh: '30s',
    preferred: MONITORING,
    variables: instances('query-gateway'),
    rows: [
      {
        title: 'State',
        panels: [
          stat('Ready', 'bool_yes_no', `min(query_gateway_ready{${JOB}})`),
          stat('Degraded', 'none', `sum(query_gateway_component_degraded{${JOB}})`, {
            description: 'Components that work with less than usual; /-/plugins says why.',
          }),
          stat('Version', 'none', [['{{version}}', `max by (version) (query_gateway_info{${JOB}})`]]),
          stat('Up since', 'dateTimeFromNow', `1000 * max(process_start_time_seconds{${JOB}})`),
          stat(
            'Failed',
            'percentunit',
            `sum(${rate('query_gateway_http_requests_total', FAILED)}) / sum(${rate('query_gateway_http_requests_total')}) or vector(0)`,
          ),
          stat(
            'Refused by overload',
            'reqps',
            `sum(${rate('query_gateway_http_requests_total', 'status="503"')}) or vector(0)`,
          ),
        ],
      },
      {
        title: 'Requests',
        panels: [
          graph('Requests', 'reqps', [
            ['{{component}}', `sum by (component) (${rate('query_gateway_http_requests_total')})`],
          ]),
          graph('Answers by status', 'reqps', [
            ['{{status}}', `sum by (status) (${rate('query_gateway_http_requests_total')})`],
          ]),
          graph('Queries', 'none', [
            ['running', `sum(query_gateway_queries_running{${JOB}})`],
            ['waiting', `sum(query_gateway_queries_waiting{${JOB}})`],
          ]),
        ],
      },
      {
        title: 'Time of requests',
        panels: [
          graph('p50 by component', 's', [
            ['{{component}}', quantile(0.5, 'query_gateway_http_request_seconds', 'component')],
          ]),
          graph('p99 by component', 's', [
            ['{{component}}', quantile(0.99, 'query_gateway_http_request_seconds', 'component')],
          ]),
          graph('Mean by route, the slowest', 's', [
            [
              '{{component}} {{route}}',
              `topk(8, sum by (component, route) (${rate('query_gateway_http_request_seconds_sum')}) / sum by (component, route) (${rate('query_gateway_http_request_seconds_count')}))`,
            ],
          ]),
        ],
      },
      {
        title: 'Storage',
        panels: [
          graph('Calls', 'ops', [
            [
              '{{capability}} {{method}}',
              `sum by (capability, method) (${rate('query_gateway_storage_call_seconds_count')}) > 0`,
            ],
          ]),
          graph('p99 of calls', 's', [
            ['{{capability}} {{method}}', quantile(0.99, 'query_gateway_storage_call_seconds', 'capability, method')],
          ]),
          graph('Failed calls', 'ops', [['{{code}}', `sum by (code) (${rate('query_gateway_storage_errors_total')})`]]),
          graph('Records stored', 'wps', [
            ['{{format}}', `sum by (format) (${rate('query_gateway_ingest_records_total')})`],
          ]),
        ],
      },
      {
        title: 'Embedded storage',
        panels: [
          graph('Disk', 'bytes', [
            ['database', `sum(query_gateway_storage_file_bytes{${JOB}})`],
            ['of it free', `sum(query_gateway_storage_free_bytes{${JOB}})`],
            ['free on the disk', `sum(query_gateway_storage_disk_free_bytes{${JOB}})`],
          ]),
          graph('Waiting to be written', 'none', [
            ['samples', `sum(query_gateway_storage_queued_samples{${JOB}})`],
            ['spans and segments', `sum(query_gateway_storage_queued_units{${JOB}})`],
          ]),
          graph('Time', 's', [
            [
              'commit, p99',
              `histogram_quantile(0.99, sum by (le) (${rate('query_gateway_storage_commit_seconds_bucket')}))`,
            ],
            ['compaction is behind by', `max(query_gateway_storage_fold_lag_seconds{${JOB}})`],
          ]),
          graph('Dropped as too late', 'ops', [
            ['samples', `sum(${rate('query_gateway_storage_dropped_samples_total')})`],
            ['spans', `sum(${rate('query_gateway_storage_dropped_spans_total')})`],
          ]),
        ],
      },
      {
        title: 'Process',
        panels: [
          graph('Processor', 'percentunit', [['{{instance}}', rate('process_cpu_seconds_total')]]),
          graph('Memory', 'bytes', [
            ['resident, with pages of files', `sum(process_resident_memory_bytes{${JOB}})`],
            ['heap', `sum(nodejs_heap_size_used_bytes{${JOB}})`],
            ['outside the heap', `sum(nodejs_external_memory_bytes{${JOB}})`],
            ['latest hours (embedded)', `sum(query_gateway_storage_head_bytes{${JOB}})`],
          ]),
          graph('Event loop', 's', [
            ['p99', `max(nodejs_eventloop_lag_p99_seconds{${JOB}})`],
            ['longest hold', `max(nodejs_eventloop_lag_max_seconds{${JOB}})`],
          ]),
        ],
      },
      {
        title: 'Access and configuration',
        panels: [
          graph('Refused callers', 'reqps', [
            ['{{listener}} {{reason}}', `sum by (listener, reason) (${rate('query_gateway_access_refused_total')})`],
          ]),
          table(
            'Certificates end',
            `sum by (instance, listener) (query_gateway_tls_certificate_expiry_seconds{${JOB}}) * 1000`,
          ),
          table('Read again', `min by (instance, what) (query_gateway_reload_success{${JOB}})`),
          stat('Configuration', 'bool_yes_no', `min(query_gateway_config_reload_success{${JOB}})`, {
            description: 'Whether the last reload of the configuration was good.',
            height: 8,
          }),
        ],
      },
    ],
  },
);

const SERVICE = "layer='$layer',service='$service'";
const TOP = "top_n='10',order='DES'";
const services = dashboard(
  'query-gateway-services',
  'Services',
  'Services, their instances, endpoints and databases, over the Prometheus API of the gateway. Ranges of up to an hour show minutes, up to a day hours, above that days.',
  'prometheus',
  {
    preferred: 'query-gateway-metrics',
    variables: [
      // Every layer that is known, not those alone that have services: the list has one to begin with.
      variable('layer', 'label_values(layer)', {current: {text: 'GENERAL', value: 'GENERAL'}}),
      variable('service', "label_values(service_traffic{layer='$layer'}, service)"),
      variable('instance', "label_values(instance_traffic{layer='$layer',service='$service'}, service_instance)"),
      variable('endpoint', "label_values(endpoint_traffic{layer='$layer',service='$service'}, endpoint)"),
      variable('database', "label_values(service_traffic{layer='VIRTUAL_DATABASE'}, service)"),
    ],
    rows: [
      {
        title: 'All services of the layer',
        panels: [
          ranking('Calls a minute', 'none', [['{{service}}', `service_cpm{layer='$layer',${TOP}}`]]),
          ranking('Slowest', 'ms', [['{{service}}', `service_resp_time{layer='$layer',${TOP}}`]]),
          ranking('Least successful', 'percent', [
            ['{{service}}', "service_sla{layer='$layer',top_n='10',order='ASC'} / 100"],
          ]),
        ],
      },
      {
        title: '$service',
        panels: [
          graph('Calls a minute', 'none', [['calls', `service_cpm{${SERVICE}}`]]),
          graph('Successful', 'percent', [['successful', `service_sla{${SERVICE}} / 100`]]),
          graph('Apdex', 'none', [['apdex', `service_apdex{${SERVICE}} / 10000`]]),
          graph('Response time', 'ms', [
            ['mean', `service_resp_time{${SERVICE}}`],
            ['p{{p}}', `service_percentile{${SERVICE},p='50,75,90,95,99'}`],
          ]),
        ],
      },
      {
        title: 'Instances of $service',
        panels: [
          ranking('Calls a minute', 'none', [
            ['{{service_instance}}', `service_instance_cpm{layer='$layer',parent_service='$service',${TOP}}`],
          ]),
          ranking('Slowest', 'ms', [
            ['{{service_instance}}', `service_instance_resp_time{layer='$layer',parent_service='$service',${TOP}}`],
          ]),
          graph('$instance: calls a minute', 'none', [
            ['calls', `service_instance_cpm{${SERVICE},service_instance='$instance'}`],
          ]),
          graph('$instance: heap of the JVM', 'bytes', [
            ['heap', `instance_jvm_memory_heap{${SERVICE},service_instance='$instance'}`],
          ]),
        ],
      },
      {
        title: 'Endpoints of $service',
        panels: [
          ranking('Calls a minute', 'none', [
            ['{{endpoint}}', `endpoint_cpm{layer='$layer',parent_service='$service',${TOP}}`],
          ]),
          ranking('Slowest', 'ms', [
            ['{{endpoint}}', `endpoint_resp_time{layer='$layer',parent_service='$service',${TOP}}`],
          ]),
          graph('$endpoint: calls a minute', 'none', [['calls', `endpoint_cpm{${SERVICE},endpoint='$endpoint'}`]]),
          graph('$endpoint: response time', 'ms', [
            ['p{{p}}', `endpoint_percentile{${SERVICE},endpoint='$endpoint',p='50,95,99'}`],
          ]),
        ],
      },
      {
        title: 'Database $database',
        panels: [
          graph('Accesses a minute', 'none', [
            ['accesses', "database_access_cpm{layer='VIRTUAL_DATABASE',service='$database'}"],
          ]),
          graph('Response time', 'ms', [
            ['mean', "database_access_resp_time{layer='VIRTUAL_DATABASE',service='$database'}"],
          ]),
          ranking('Slow statements', 'ms', [
            ['{{record}}', `top_n_database_statement{layer='VIRTUAL_DATABASE',parent_service='$database',${TOP}}`],
          ]),
        ],
      },
    ],
  },
);

const OF_SERVICE = 'resource.service.name="$service"';
const list = (title, query) => ({type: 'table', title, queries: query, height: 10});
const traces = dashboard(
  'query-gateway-traces',
  'Traces',
  'The latest traces of a service, over the Tempo API of the gateway.',
  'tempo',
  {
    preferred: 'query-gateway-traces-compat',
    variables: [
      {
        name: 'service',
        type: 'query',
        datasource: {type: 'tempo', uid: '${datasource}'},
        // 1: the values of a tag.
        query: {refId: 'service', type: 1, label: 'service.name'},
        refresh: 2,
        sort: 1,
      },
      {
        name: 'duration',
        label: 'Slow from',
        type: 'textbox',
        query: '100ms',
        current: {text: '100ms', value: '100ms'},
        options: [{text: '100ms', value: '100ms', selected: true}],
      },
    ],
    rows: [
      {
        title: '$service',
        panels: [list('Latest', `{${OF_SERVICE}}`), list('Failed', `{${OF_SERVICE} && status=error}`)],
      },
      {
        title: 'Slow',
        panels: [
          list('Spans of $service of $duration and more', `{${OF_SERVICE} && duration>=$duration}`),
          list('Spans of all services of $duration and more', '{duration>=$duration}'),
        ],
      },
    ],
  },
);

const diagnostics = dashboard(
  'query-gateway-diagnostics',
  'Diagnostics',
  'The nodes of a database and what their agents measure, by what the diagnostics proxy tells Prometheus.',
  'prometheus',
  {
    preferred: MONITORING,
    variables: [
      ...instances('query-gateway-diagnostics'),
      variable('pod', 'label_values(diagnostics_agent_up{job="$job"}, pod_name)', {
        multi: true,
        includeAll: true,
        allValue: '.*',
        current: {text: 'All', value: '$__all'},
      }),
      variable(
        'metric',
        'label_values({job="$job",pod_name=~".+",__name__!~"diagnostics_.*|.*_(bucket|sum|count|total)"}, __name__)',
      ),
      variable('counter', 'label_values({job="$job",pod_name=~".+",__name__=~".*_total"}, __name__)'),
    ],
    rows: [
      {
        title: 'Agents',
        panels: [
          stat('Online', 'none', `sum(diagnostics_proxy_agents{${JOB},status="online"})`),
          stat('Offline', 'none', `sum(diagnostics_proxy_agents{${JOB},status="offline"})`),
          stat('Gave nothing', 'none', `count(diagnostics_agent_up{${JOB}} == 0) or vector(0)`, {
            description: 'Registered agents that did not answer the last collection.',
          }),
          stat('Endpoints that cannot be scraped', 'none', `count(diagnostics_scrape_up{${JOB}} == 0) or vector(0)`),
        ],
      },
      {
        title: 'Collections',
        panels: [
          graph('Answered by the agents', 'none', [
            ['{{pod_name}}', `min by (pod_name) (diagnostics_agent_up{${JOB}})`],
          ]),
          graph('Time of a collection', 's', [
            [
              '{{kind}}',
              `sum by (kind) (${rate('diagnostics_proxy_collection_seconds_total')}) / sum by (kind) (${rate('diagnostics_proxy_collections_total')})`,
            ],
          ]),
          graph('Agents that gave a collection nothing', 'ops', [
            ['{{kind}}', `sum by (kind) (${rate('diagnostics_proxy_missing_answers_total')})`],
          ]),
          graph('Samples left out', 'ops', [
            ['{{reason}}', `sum by (reason) (${rate('diagnostics_proxy_dropped_samples_total')})`],
          ]),
        ],
      },
      {
        title: 'Nodes',
        panels: [
          graph('$metric', 'short', [
            [
              '{{pod_name}} {{container_name}}',
              `sum by (pod_name, container_name) ({__name__="$metric",${JOB},pod_name=~"$pod"})`,
            ],
          ]),
          graph('$counter, a second', 'short', [
            [
              '{{pod_name}} {{container_name}}',
              `sum by (pod_name, container_name) (rate({__name__="$counter",${JOB},pod_name=~"$pod"}[$__rate_interval]))`,
            ],
          ]),
        ],
      },
    ],
  },
);

mkdirSync(folder, {recursive: true});
for (const [name, content] of Object.entries({gateway, services, traces, diagnostics})) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
}
