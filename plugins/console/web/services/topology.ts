import {ask} from '../base/api.js';
import {percent, short} from '../base/format.js';
import {addressOf, pathOf} from '../base/location.js';

export interface ServiceNumbers {
  /** Calls per minute. */
  readonly calls?: number;
  /** From 0 to 1. */
  readonly errors?: number;
  /** Milliseconds. */
  readonly latency?: number;
}

export interface RelationRow extends ServiceNumbers {
  readonly layer: string;
  readonly service: string;
  readonly serviceInstance?: string;
  readonly endpoint?: string;
  readonly destLayer: string;
  readonly destService: string;
  readonly destServiceInstance?: string;
  readonly destEndpoint?: string;
}

export interface TopologyService extends ServiceNumbers {
  readonly layer: string;
  readonly service: string;
}

export interface TopologyAnswer {
  readonly isCut: boolean;
  readonly relations: readonly RelationRow[];
  readonly services: readonly TopologyService[];
}

export interface TopologyRequest {
  readonly scope: string;
  /** Seconds. */
  readonly range: number;
  /** Only relations of this service. */
  readonly of: {readonly layer: string; readonly service: string} | undefined;
}

export function askTopology({scope, range, of}: TopologyRequest, signal: AbortSignal): Promise<TopologyAnswer> {
  return ask('console/topology', {scope, range, ...of}, signal);
}

/** One end of a relation. */
export interface RelationEnd {
  readonly key: string;
  readonly layer: string;
  readonly service: string;
  /** The instance or endpoint; empty for the service itself. */
  readonly part: string;
}

export function sourceEnd({layer, service, serviceInstance, endpoint}: RelationRow): RelationEnd {
  return endOf(layer, service, serviceInstance ?? endpoint ?? '');
}

export function targetEnd({destLayer, destService, destServiceInstance, destEndpoint}: RelationRow): RelationEnd {
  return endOf(destLayer, destService, destServiceInstance ?? destEndpoint ?? '');
}

export function endOf(layer: string, service: string, part = ''): RelationEnd {
  return {key: JSON.stringify([layer, service, part]), layer, service, part};
}

/** The page of a service. */
export function serviceAddress({layer, service}: Pick<RelationEnd, 'layer' | 'service'>): string {
  return addressOf(pathOf('services', layer, service));
}

/** A share of failed calls from which on a line or a node stands out. */
const BAD = 0.01;

export const isBad = ({errors = 0}: ServiceNumbers): boolean => errors >= BAD;

/** The numbers that a box has room for. */
export const loadText = ({calls, errors}: ServiceNumbers): string =>
  numbersText({...(calls !== undefined && {calls}), ...(errors !== undefined && {errors})});

/** The numbers in words, as far as they are known. */
export function numbersText({calls, errors, latency}: ServiceNumbers): string {
  return [
    calls === undefined ? '' : `${short(calls)}/min`,
    errors === undefined || errors === 0 ? '' : `${percent(errors)} failed`,
    latency === undefined ? '' : `${short(latency)} ms`,
  ]
    .filter(text => text !== '')
    .join(' · ');
}
