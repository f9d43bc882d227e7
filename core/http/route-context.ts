import type {Handler, Parameters, Route} from '../api/http.js';
import type {Logger} from '../api/telemetry.js';
import type {Usage} from '../host/usage.js';
import type {AccessLog} from './access-log.js';
import type {BodyLimit} from './body.js';
import type {Door} from './guard.js';
import type {Mount} from './mount.js';
import type {QueryRecorder} from './recorder.js';
import type {RouteMetrics} from './request-metrics.js';
import type {HttpServices} from './services.js';

/** What the requests of one route have in common. */
export interface RouteContext {
  readonly mount: Mount;
  readonly handler: Handler;
  readonly door: Door;
  readonly usage: Usage;
  readonly body: 'form' | 'bytes';
  readonly bodyLimit: BodyLimit;
  readonly work: NonNullable<Route['work']>;
  readonly kept: Route['kept'];
  readonly readParameters: (queryString: string, form: string) => Parameters;
  /** Milliseconds; 0 for no bound. */
  readonly writeTimeout: number;
  readonly services: HttpServices;
  readonly log: Logger;
  readonly metrics: RouteMetrics;
  /** Where the listener has one switched on. */
  readonly accessLog: AccessLog | undefined;
  /** Undefined where the route answers no queries. */
  readonly recorder: QueryRecorder | undefined;
  /** From how many bytes on answers are compressed; infinity for never. */
  readonly compression: number;
}
