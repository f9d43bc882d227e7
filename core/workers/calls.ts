import type {Socket} from 'node:net';
import type {GatewayStatus} from '../api/status.js';
import type {RecordConfig} from '../config/record.js';
import type {Measurements} from '../http/gateway-metrics.js';
import type {ListenError, PortAddress} from '../http/port.js';

/** A configuration as it was read, with the folder from which its paths are found. */
export interface Source {
  readonly value: unknown;
  readonly folder: string;
}

export interface OpenedPort {
  readonly id: number;
  readonly number: number;
}

/** Why an address cannot be opened. */
export interface ClosedPort extends Pick<ListenError, 'problem' | 'key'> {
  /** The code of the system. */
  readonly system: string | undefined;
}

/** What the process that holds all together does for a worker. */
export interface PrimaryCalls {
  openPort(given: PortAddress & {readonly name: string}): Promise<OpenedPort | ClosedPort>;
  servePort(given: {readonly id: number; readonly acceptQueueSize: number}): void;
  /** Answers when every connection that is for this worker has been sent to it. */
  closePort(given: {readonly id: number}): void;
  /** The connection of that number has come. */
  took(given: {readonly connection: number}): void;
  /** A connection of that port has ended. */
  left(given: {readonly id: number}): void;
  openRecord(given: RecordConfig): Promise<{readonly id: number}>;
  /** False when no more is written. */
  appendRecord(given: {readonly id: number; readonly lines: string}): Promise<boolean>;
  closeRecord(given: {readonly id: number}): Promise<void>;
  /** Of all together. */
  status(given: object): Promise<GatewayStatus>;
  metrics(given: object): Promise<string>;
  reload(given: object): Promise<void>;
}

/** What a worker does for the process that holds all together. */
export interface WorkerCalls {
  /** Loads and checks what a start with that source needs, which then takes less. Opens nothing. */
  warm(given: {readonly source: Source}): Promise<void>;
  /** Gives the addresses that are open. `index` counts from 1. */
  start(given: {
    readonly source: Source;
    readonly index: number;
    readonly count: number;
  }): Promise<Readonly<Record<string, string>>>;
  take(given: {readonly id: number; readonly connection: number}, socket?: Socket): void;
  /** So many connections of that port are too many here, beside what others have. */
  shed(given: {readonly id: number; readonly count: number}): void;
  /** Does all that can fail; then one of the next two. */
  prepare(given: {readonly source: Source}): Promise<void>;
  commit(given: object): Promise<void>;
  abandon(given: object): Promise<void>;
  /** Of this worker. */
  status(given: object): Promise<GatewayStatus>;
  measure(given: object): Promise<Measurements>;
  /** Drains, stops, and ends the process. */
  stop(given: object): void;
}
