/** What to try, as commands for a shell that work as they are. */
export interface Suggestion {
  readonly title: string;
  readonly command: string;
}

/** `metrics` and `ingest`: the addresses of the listeners. */
export function suggestions(metrics: string, ingest: string): readonly Suggestion[] {
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
