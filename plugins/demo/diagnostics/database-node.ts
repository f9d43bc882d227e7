import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Server, ServerCredentials, type sendUnaryData} from '@grpc/grpc-js';
import {MS_PER_SECOND, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import {
  type GroupLifecycleInfo,
  nodeMethods,
  type PartialMessage,
  type RpcMethod,
} from '../../diagnostics/proto/contract.js';
import {CAST, type CastMember, nodeOf} from './cast.js';
import {metricsPage} from './metrics-page.js';

/** What an agent finds beside it: the metrics page of a database node, and what the node tells over gRPC. */
export class DatabaseNode {
  readonly #grpc = new Server();
  readonly #http;
  readonly #begun = Date.now();

  constructor(member: CastMember) {
    this.#http = createServer((_, response) => {
      response.end(metricsPage(member, SECONDS_PER_HOUR + (Date.now() - this.#begun) / MS_PER_SECOND));
    });
    const others = CAST.filter(({pod}) => pod !== member.pod).map(nodeOf);
    const routes = member.role === 'ROLE_LIAISON' ? {tier2: {registered: others}} : {property: {registered: others}};
    this.#answer(nodeMethods.GetCurrentNode, () => ({node: nodeOf(member)}));
    this.#answer(nodeMethods.GetClusterState, () => ({route_tables: routes}));
    // Of the database only a liaison knows the groups.
    if (member.role === 'ROLE_LIAISON') {
      this.#answer(nodeMethods.InspectAll, () => ({groups: groups()}));
    }
  }

  /** Opens free ports on the loopback address. */
  async start(): Promise<{readonly metricsPort: number; readonly grpcPort: number}> {
    const grpcPort = await new Promise<number>((resolve, reject) =>
      this.#grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return {metricsPort: (this.#http.address() as AddressInfo).port, grpcPort};
  }

  stop(): void {
    this.#grpc.forceShutdown();
    this.#http.close();
    this.#http.closeAllConnections();
  }

  #answer<Request, Response>(method: RpcMethod<Request, Response>, response: () => PartialMessage<Response>): void {
    const handle = (_call: unknown, callback: sendUnaryData<PartialMessage<Response>>): void =>
      callback(null, response());
    const name = method.path.slice(method.path.lastIndexOf('/') + 1);
    this.#grpc.addService({[name]: method as unknown as RpcMethod<unknown, unknown>}, {[name]: handle});
  }
}

const DAY = 'UNIT_DAY';

function groups(): readonly PartialMessage<GroupLifecycleInfo>[] {
  return (
    [
      ['metricsMinute', 'CATALOG_MEASURE', 1, 7, 48],
      ['metricsHour', 'CATALOG_MEASURE', 5, 30, 12],
      ['recordsTrace', 'CATALOG_TRACE', 1, 3, 160],
    ] as const
  ).map(([name, catalog, interval, ttl, mebibytes]) => ({
    name,
    catalog,
    resource_opts: {
      shard_num: 2,
      segment_interval: {unit: DAY, num: interval},
      ttl: {unit: DAY, num: ttl},
      stages: [
        {name: 'warm', shard_num: 1, segment_interval: {unit: DAY, num: interval}, ttl: {unit: DAY, num: 3 * ttl}},
      ],
    },
    data_info: CAST.filter(({role}) => role === 'ROLE_DATA').map(member => ({
      node: nodeOf(member),
      data_size_bytes: String(mebibytes * 2 ** 20),
    })),
  }));
}
