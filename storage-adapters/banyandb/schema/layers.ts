/** The layers that every OAP knows, by their numbers from 0. */
const NAMES = `
UNDEFINED MESH GENERAL OS_LINUX K8S FAAS MESH_CP MESH_DP DATABASE CACHE BROWSER SO11Y_OAP SO11Y_SATELLITE MQ
VIRTUAL_DATABASE VIRTUAL_MQ VIRTUAL_GATEWAY K8S_SERVICE MYSQL VIRTUAL_CACHE POSTGRESQL APISIX AWS_EKS
OS_WINDOWS AWS_S3 AWS_DYNAMODB AWS_GATEWAY REDIS ELASTICSEARCH RABBITMQ MONGODB KAFKA PULSAR BOOKKEEPER NGINX
ROCKETMQ CLICKHOUSE ACTIVEMQ CILIUM_SERVICE SO11Y_JAVA_AGENT KONG SO11Y_GO_AGENT FLINK BANYANDB GENAI
VIRTUAL_GENAI ENVOY_AI_GATEWAY IOS WECHAT_MINI_PROGRAM ALIPAY_MINI_PROGRAM AIRFLOW`
  .trim()
  .split(/\s+/);

/** Their services were not seen themselves but guessed from their clients, which shows in the ids. */
const NOT_NORMAL: ReadonlySet<string> = new Set([
  'UNDEFINED',
  'VIRTUAL_DATABASE',
  'VIRTUAL_MQ',
  'VIRTUAL_GATEWAY',
  'VIRTUAL_CACHE',
  'VIRTUAL_GENAI',
]);

export const isNormal = (layer: string): boolean => !NOT_NORMAL.has(layer);

/** What is wrong with the names that a configuration adds: each number has one name, and each name one number. */
export function layerMistake(added: Readonly<Record<string, string>>): string | undefined {
  const numbers = new Map(NAMES.map((name, number) => [name, String(number)]));
  for (const [number, name] of Object.entries(added)) {
    const known = NAMES[Number(number)];
    if (known !== undefined && known !== name) return `the number ${number}, which is ${known} in every OAP, ${name}`;
    const other = numbers.get(name);
    if (other !== undefined && other !== String(Number(number))) return `both ${other} and ${number} ${name}`;
    numbers.set(name, String(Number(number)));
  }
  return undefined;
}

/** `added` names the numbers that a deployment has of its own; a number without a name is shown as it is. */
export function layerName(number: string, added: Readonly<Record<string, string>>): string {
  return added[number] ?? NAMES[Number(number)] ?? number;
}
