import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Owner} from '../../support/gateway.js';

/** A metrics endpoint. */
export interface FakeEndpoint {
  readonly port: number;
  /** What it answers now: the text of a page, or anything else by hand. */
  page: string | RequestListener;
  /** The requests so far. */
  readonly requests: {readonly url: string; readonly headers: Readonly<Record<string, unknown>>}[];
}

export async function startEndpoint(t: Owner, page: string | RequestListener = ''): Promise<FakeEndpoint> {
  const requests: FakeEndpoint['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({url: request.url ?? '', headers: request.headers});
    if (typeof endpoint.page === 'string') response.end(endpoint.page);
    else endpoint.page(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint: FakeEndpoint = {port: (server.address() as AddressInfo).port, page, requests};
  return endpoint;
}
