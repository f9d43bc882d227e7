import {isAscii} from 'node:buffer';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {Agent, type Dispatcher, interceptors, request} from 'undici';
import {GatewayError} from '../../core/api/errors.js';
import {childOf} from '../abort.js';
import {reasonOf} from '../reason.js';

/** Of the whole exchange, redirects included. */
const TIMEOUT_MS = 5000;
/** Of a page, compressed or not. */
const LARGEST_PAGE = 64 * 2 ** 20;
const MOST_REDIRECTS = 10;

/** Gets metric pages over connections that are kept open. */
export class PageFetcher {
  readonly #agent = new Agent({connections: 2, maxResponseSize: LARGEST_PAGE});
  readonly #dispatcher: Dispatcher = this.#agent.compose(interceptors.redirect({maxRedirections: MOST_REDIRECTS}));

  /**
   * The text of a page. Throws a `GatewayError`: `timeout` and `storage_unavailable` may pass, `not_found`, `too_large`
   * and `storage_failed` will not soon.
   */
  async fetch(url: string, signal: AbortSignal): Promise<string> {
    const exchange = childOf(signal);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      exchange.abort();
    }, TIMEOUT_MS);
    try {
      // No `accept`: a server that has several formats then answers with the classic text.
      const {statusCode, headers, body} = await request(url, {
        dispatcher: this.#dispatcher,
        headers: {'accept-encoding': 'gzip'},
        signal: exchange.signal,
      });
      if (statusCode !== 200) {
        await body.dump();
        const code = statusCode === 404 ? 'not_found' : 'storage_unavailable';
        throw new GatewayError(code, `it answered with status ${statusCode}`);
      }
      const bytes = Buffer.from(await body.arrayBuffer());
      const page = await decoded(bytes, headers['content-encoding']);
      // Nearly every page is ASCII, for which there is a much faster way.
      return page.toString(isAscii(page) ? 'latin1' : 'utf8');
    } catch (error) {
      if (GatewayError.is(error)) throw error;
      if (codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') throw tooLarge(error);
      if (isLate) throw new GatewayError('timeout', `no whole answer came within ${TIMEOUT_MS / 1000} s`);
      throw new GatewayError('storage_unavailable', reasonOf(error), {cause: error});
    } finally {
      clearTimeout(timer);
      exchange.release();
    }
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const unzip = promisify(gunzip);

async function decoded(bytes: Buffer, encoding: unknown): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') {
    throw new GatewayError('storage_failed', `its content encoding is ${encoding}; only gzip was offered`);
  }
  try {
    return await unzip(bytes, {maxOutputLength: LARGEST_PAGE});
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(error);
    throw new GatewayError('storage_failed', `its gzip content cannot be read: ${reasonOf(error)}`, {cause: error});
  }
}

const codeOf = (error: unknown): unknown => (error as {readonly code?: unknown} | undefined)?.code;

const tooLarge = (cause: unknown): GatewayError =>
  new GatewayError('too_large', `its page has more than ${LARGEST_PAGE} bytes`, {cause});
