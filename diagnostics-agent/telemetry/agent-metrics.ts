import {Counter, Gauge, Registry} from 'prom-client';

const ENDPOINT = ['port', 'container_name'] as const;

/** The metrics of the agent itself, which its own page shows; what it scrapes is not among them. */
export class AgentMetrics {
  readonly registry = new Registry();
  readonly #to = {registers: [this.registry]};

  readonly scrapeUp = this.#gauge('scrape_up', 'Whether the last scrape of a local endpoint worked.', ENDPOINT);
  readonly scrapeSeconds = this.#gauge('scrape_duration_seconds', 'Duration of the last scrape.', ENDPOINT);
  readonly scrapedSamples = this.#gauge('scrape_samples', 'Samples of the last scrape that worked.', ENDPOINT);
  readonly scrapeFailures = this.#counter('scrape_failures_total', 'Scrapes that gave nothing.', ENDPOINT);
  readonly skippedLines = this.#counter('scrape_skipped_lines_total', 'Lines that are no samples.', ENDPOINT);
  readonly repeatedSamples = this.#counter(
    'scrape_repeated_samples_total',
    'Samples that a later one of the same series on the same page replaced.',
    ENDPOINT,
  );
  readonly clusterUp = this.#gauge('cluster_state_up', 'Whether the last poll of a node worked.', ['port']);
  readonly isRegistered = this.#gauge('agent_registered', 'Whether the agent is registered with the proxy now.', []);
  readonly registrations = this.#counter('agent_registrations_total', 'Registrations that worked.', []);
  readonly connectionFailures = this.#counter(
    'agent_connection_failures_total',
    'Connections to the proxy that were lost or did not come about.',
    [],
  );
  readonly answers = this.#counter('agent_answers_total', 'Answers that were sent to the proxy.', ['stream']);
  readonly tooLarge = this.#counter(
    'agent_oversized_answers_total',
    'Answers that were larger than a message may be.',
    ['stream'],
  );

  /** A gauge whose value is asked when the page is. */
  observe(name: string, help: string, value: () => number): void {
    new Gauge({
      name: `diagnostics_${name}`,
      help,
      ...this.#to,
      collect() {
        this.set(value());
      },
    });
  }

  /** A counter whose value is asked when the page is. */
  observeTotal(name: string, help: string, value: () => number): void {
    new Counter({
      name: `diagnostics_${name}`,
      help,
      ...this.#to,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({name: `diagnostics_${name}`, help, labelNames, ...this.#to});
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({name: `diagnostics_${name}`, help, labelNames, ...this.#to});
  }
}
