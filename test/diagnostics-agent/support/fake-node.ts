import {Server, ServerCredentials, type sendUnaryData, type status} from '@grpc/grpc-js';
import {
  type GroupLifecycleInfo,
  type Node,
  nodeMethods,
  type PartialMessage,
  type RouteTable,
  type RpcMethod,
} from '../../../plugins/diagnostics/proto/contract.js';
import type {Owner} from '../../support/gateway.js';

/** What a database node says; a test may change it at any time. */
export interface NodeState {
  node: PartialMessage<Node> | null;
  tables: Record<string, PartialMessage<RouteTable>>;
  groups: PartialMessage<GroupLifecycleInfo>[];
  /** Fails the calls of that method. */
  failing: {[name in keyof typeof nodeMethods]?: status};
  /** Lets calls of that method hang. */
  hanging: Set<keyof typeof nodeMethods>;
}

/** A database node with the services that an agent asks. */
export class FakeNode {
  port = 0;
  readonly state: NodeState = {node: null, tables: {}, groups: [], failing: {}, hanging: new Set()};
  /** Calls so far, by method. */
  readonly calls = {GetCurrentNode: 0, GetClusterState: 0, InspectAll: 0};
  /** Answers the calls that hang. */
  readonly hung: (() => void)[] = [];
  readonly #server = new Server();

  static async start(t: Owner, state: Partial<NodeState> = {}, methods = NAMES): Promise<FakeNode> {
    const node = new FakeNode();
    Object.assign(node.state, state);
    for (const name of methods) node.#add(name);
    node.port = await new Promise<number>((resolve, reject) =>
      node.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
    t.teardown(() => node.#server.forceShutdown());
    return node;
  }

  #add(name: keyof typeof nodeMethods): void {
    const method = nodeMethods[name] as RpcMethod<unknown, unknown>;
    const answer = (): unknown => {
      const {node, tables, groups} = this.state;
      return {GetCurrentNode: {node}, GetClusterState: {route_tables: tables}, InspectAll: {groups}}[name];
    };
    const handle = (_call: unknown, callback: sendUnaryData<unknown>): void => {
      this.calls[name]++;
      const code = this.state.failing[name];
      if (this.state.hanging.has(name)) {
        this.hung.push(() => callback(null, answer()));
        return;
      }
      if (code === undefined) callback(null, answer());
      else callback({code, details: `${name} fails`});
    };
    this.#server.addService({[name]: {...method, originalName: name}}, {[name]: handle});
  }
}

const NAMES: readonly (keyof typeof nodeMethods)[] = ['GetCurrentNode', 'GetClusterState', 'InspectAll'];

/** A data node of the hot stage. */
export const DATA_HOT: PartialMessage<Node> = {
  metadata: {name: 'data-hot-0:17912'},
  roles: ['ROLE_DATA'],
  grpc_address: 'data-hot-0:17912',
  created_at: {seconds: '1700000000', nanos: 0},
  labels: {type: 'hot'},
};
