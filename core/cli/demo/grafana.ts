/** A file for Grafana's `provisioning/datasources` folder that makes the gateway a data source. */
export function grafanaProvisioning(metrics: string): string {
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
`;
}
