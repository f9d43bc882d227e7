/** Addresses of the listeners. */
export interface DemoAddresses {
  readonly metrics: string;
  readonly traces: string;
  readonly diagnostics: string;
  readonly ingest: string;
  readonly console: string;
}

/**
 * A file for Grafana's `provisioning/datasources` folder that makes the gateway four data sources. The address of
 * traces has the prefix of its plugin in it; results are not streamed, which would take another protocol.
 */
export function grafanaProvisioning({metrics, traces}: DemoAddresses): string {
  return `apiVersion: 1
datasources:
  - name: query-gateway metrics
    uid: query-gateway-metrics
    type: prometheus
    access: proxy
    url: ${JSON.stringify(metrics)}
    isDefault: true
    jsonData:
      httpMethod: POST
      manageAlerts: false
      timeInterval: 60s
${(['compat', 'native', 'otlp'] as const).map(kind => tracesDataSource(kind, traces)).join('')}`;
}

function tracesDataSource(kind: 'compat' | 'native' | 'otlp', traces: string): string {
  return `  - name: query-gateway ${kind} traces
    uid: query-gateway-traces-${kind}
    type: tempo
    access: proxy
    url: ${JSON.stringify(`${traces}/${kind}`)}
    jsonData:
      streamingEnabled:
        search: false
        metrics: false
`;
}
