import type {Counter, Histogram, Labelled, Meter} from '../api/telemetry.js';

/** The instruments of one route, resolved once. */
export class RouteMetrics {
  readonly #counts = new Map<number, Counter>();
  readonly #requests: Labelled<Counter>;
  readonly #seconds: Histogram;
  readonly #route: string;

  constructor(meter: Meter, route: string) {
    this.#route = route;
    this.#requests = meter.counter('query_gateway_http_requests_total', 'Requests answered, by route and status.', [
      'route',
      'status',
    ]);
    this.#seconds = meter
      .histogram('query_gateway_http_request_seconds', 'Time from the headers to the answer.', ['route'])
      .with({route});
  }

  observe(status: number, milliseconds: number): void {
    let count = this.#counts.get(status);
    if (count === undefined) {
      count = this.#requests.with({route: this.#route, status: String(status)});
      this.#counts.set(status, count);
    }
    count.add();
    this.#seconds.observe(milliseconds / 1000);
  }
}
