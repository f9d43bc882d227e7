import type {Right} from '../../api/access.js';
import type {ConfigMistake, JsonSchema} from '../../api/json-schema.js';
import type {PluginSocket} from '../../api/plugin.js';
import {type ServerTls, serverTlsMistakes, serverTlsSchema, WatchedServerTls} from '../tls/server-tls.js';
import type {AccessGuardOptions} from './access-guard.js';
import type {GrpcServerOptions} from './grpc-server.js';
import {parseHostPort} from './host-port.js';
import {listenAddress, listenAddressMistakes} from './listen-address.js';

/** What a plugin that opens a gRPC address has in its `config` for it. */
export interface GrpcSocketConfig {
  /** Left out where the address is off. */
  readonly grpcListenAddr?: string;
  readonly grpcTls?: ServerTls;
  readonly grpcAccess: boolean;
}

/** What the guard of a socket needs, whether there is one or not. */
export type GrpcSocketServices = AccessGuardOptions;

/** The keys, where `description` tells of the address, and `fallback` is it unless the configuration says otherwise. */
export function grpcSocketKeys(description: string, right: Right, fallback?: string): Record<string, JsonSchema> {
  return {
    grpcListenAddr: {...listenAddress(description), ...(fallback !== undefined && {default: fallback})},
    grpcTls: serverTlsSchema('TLS of the gRPC address.'),
    grpcAccess: {
      type: 'boolean',
      default: false,
      description: `Ask those who call over gRPC for a token with the right ${right}, as the block access has them.`,
    },
  };
}

export function grpcSocketMistakes({grpcListenAddr, grpcTls}: GrpcSocketConfig): readonly ConfigMistake[] {
  const ofAddress = grpcListenAddr === undefined ? [] : listenAddressMistakes('grpcListenAddr', grpcListenAddr);
  return [...ofAddress, ...serverTlsMistakes(grpcTls, 'grpcTls')];
}

export function grpcSockets(name: string, {grpcListenAddr, grpcTls, grpcAccess}: GrpcSocketConfig): PluginSocket[] {
  if (grpcListenAddr === undefined) return [];
  const access = grpcAccess || grpcTls?.clientCa !== undefined;
  const asks = {tls: grpcTls !== undefined, access, ...(grpcAccess && {accessKey: 'grpcAccess'})};
  return [{name, key: 'grpcListenAddr', ...parseHostPort(grpcListenAddr), ...asks}];
}

/** What its server is made with, when it starts: the files of TLS are read, and watched until the server stops. */
export async function grpcServerOptions(
  {grpcTls, grpcAccess}: GrpcSocketConfig,
  maxMessageSize: number,
  services: GrpcSocketServices,
): Promise<GrpcServerOptions> {
  // The guard loads gRPC, which whoever asks for the keys of an address may do without.
  const guard = grpcAccess ? new (await import('./access-guard.js')).AccessGuard(services) : undefined;
  const tls = grpcTls && new WatchedServerTls(grpcTls, {...services, key: 'grpcTls'});
  return {maxMessageSize, log: services.log, tls, guard};
}
