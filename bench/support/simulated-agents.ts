import {Client, type ClientDuplexStream, credentials, Metadata} from '@grpc/grpc-js';
import {AGENT_ID, channelMethods, type RpcMethod} from '../../plugins/diagnostics/proto/contract.js';
import {simulatedMetrics, simulatedTopology} from './simulated-answers.js';

/**
 * `node simulated-agents.js ADDRESS AGENTS SERIES [silent]`: agents on a connection each, with all seven streams, that answer
 * with bytes encoded beforehand, in which values change; silent ones leave commands unanswered. Prints a line when all are connected.
 */
const [, , address = '', agents = '1000', series = '500', manner = 'pod'] = process.argv;
const HEARTBEAT = 10_000;

type Stream = ClientDuplexStream<Buffer, object>;

const methods = channelMethods as unknown as Readonly<Record<string, RpcMethod<object, object>>>;

function open(client: Client, name: string, id: string): Stream {
  const {path, responseDeserialize} = methods[name] as RpcMethod<object, object>;
  const metadata = new Metadata();
  if (id !== '') metadata.set(AGENT_ID, id);
  const asBytes = (bytes: Buffer): Buffer => bytes;
  const stream = client.makeBidiStreamRequest(path, asBytes, responseDeserialize, metadata);
  return stream.on('error', error => process.stderr.write(`${name}: ${error.message}\n`));
}

async function connect(pod: string): Promise<void> {
  const client = new Client(address, credentials.createInsecure(), {'grpc.use_local_subchannel_pool': 1});
  const hello = channelMethods.RegisterAgent.requestSerialize({
    node_role: 'ROLE_DATA',
    pod_name: pod,
    container_names: ['data'],
    labels: {type: 'hot'},
  });
  const topology = simulatedTopology(pod);
  const lifecycle = channelMethods.StreamLifecycle.requestSerialize({pod_name: pod, lifecycle_data: {}});
  const answers: Readonly<Record<string, () => Buffer>> = {
    StreamMetrics: simulatedMetrics(pod, Number(series)),
    StreamClusterTopology: () => topology,
    StreamLifecycle: () => lifecycle,
  };
  const registration = open(client, 'RegisterAgent', '');
  registration.write(hello);
  const id = await new Promise<string>(resolve => {
    registration.once('data', ({agent_id}: {agent_id: string}) => resolve(agent_id));
  });
  setInterval(() => registration.write(hello), HEARTBEAT);
  for (const name of Object.keys(methods).filter(each => each !== 'RegisterAgent')) {
    const stream = open(client, name, id);
    const answer = answers[name];
    stream.on('data', () => manner !== 'silent' && answer && stream.write(answer()));
  }
}

for (let index = 0; index < Number(agents); index += 50) {
  const batch = Array.from({length: Math.min(50, Number(agents) - index)}, (_, n) => connect(`${manner}-${index + n}`));
  await Promise.all(batch);
}
process.stdout.write('{"connected":true}\n');
