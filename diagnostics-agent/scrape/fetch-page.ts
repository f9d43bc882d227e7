import {isAscii} from 'node:buffer';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {Agent, type Dispatcher, request} from 'undici';
import {GatewayError} from '../../core/api/errors.js';
import {childOf} from '../child-signal.js';
import {reasonOf} from '../error-reason.js';

/** Of the whole exchange, redirects included. */
const TIMEOUT_MS = 5000;
/** Of a page, compressed or not. */
const LARGEST_PAGE = 64 * 2 ** 20;
const BYTE_ORDER_MARK = '\ufeff';
const MOST_REDIRECTS = 10;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Gets metric pages over connections that are kept open. */
export class PageFetcher {
  readonly #agent = new Agent({connections: 2, maxResponseSize: LARGEST_PAGE});

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
      const {headers, body} = await this.#get(url, exchange.signal);
      const bytes = Buffer.from(await body.arrayBuffer());
      const page = await decoded(bytes, headers['content-encoding']);
      // Nearly every page is ASCII, for which there is a much faster way.
      const text = page.toString(isAscii(page) ? 'latin1' : 'utf8');
      return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
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

  /** The answer with status 200, where redirects lead to. */
  async #get(url: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let response = await this.#request(url, signal);
    let from = url;
    for (let redirects = 1; REDIRECTS.includes(response.statusCode); redirects++) {
      const target = targetOf(response, from);
      await response.body.dump();
      if (redirects > MOST_REDIRECTS) {
        throw new GatewayError(
          'storage_failed',
          `it redirects more than ${MOST_REDIRECTS} times, at last to ${shown(target)}`,
        );
      }
      try {
        response = await this.#request(target, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        throw new GatewayError('storage_unavailable', `it redirects to ${shown(target)}: ${reasonOf(error)}`, {
          cause: error,
        });
      }
      from = target;
    }
    if (response.statusCode === 200) return response;
    await response.body.dump();
    const code = response.statusCode === 404 ? 'not_found' : 'storage_unavailable';
    const place = from === url ? 'it' : `it redirects to ${shown(from)}, which`;
    throw new GatewayError(code, `${place} answered with status ${response.statusCode}`);
  }

  #request(url: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    // No `accept`: a server that has several formats then answers with the classic text.
    return request(url, {dispatcher: this.#agent, headers: {'accept-encoding': 'gzip'}, signal});
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const unzip = promisify(gunzip);

const GZIP: readonly string[] = ['gzip', 'x-gzip'];

async function decoded(bytes: Buffer, header: unknown): Promise<Buffer> {
  // A header that comes several times is a list.
  const codings = String(header ?? '')
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity');
  const [coding, ...others] = codings;
  if (coding === undefined) return bytes;
  if (!GZIP.includes(coding) || others.length > 0) {
    throw new GatewayError('storage_failed', `its content encoding is ${codings.join(', ')}; only gzip was offered`);
  }
  try {
    return await unzip(bytes, {maxOutputLength: LARGEST_PAGE});
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(error);
    throw new GatewayError('storage_failed', `its gzip content cannot be read: ${reasonOf(error)}`, {cause: error});
  }
}

/** Without what may differ each time, or be secret. */
const shown = (url: string): string => url.replace(/[?#].*$/, '');

/** Where an answer redirects to. Throws when that is nowhere that can be asked. */
function targetOf({headers, statusCode}: Dispatcher.ResponseData, from: string): string {
  const {location} = headers;
  if (typeof location !== 'string') {
    throw new GatewayError('storage_failed', `it answered with status ${statusCode} without saying where the page is`);
  }
  const target = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target.href;
  throw new GatewayError('storage_failed', `it redirects to ${JSON.stringify(location)}, which is no HTTP address`);
}

const codeOf = (error: unknown): unknown => (error as {readonly code?: unknown} | undefined)?.code;

const tooLarge = (cause: unknown): GatewayError =>
  new GatewayError('too_large', `its page has more than ${LARGEST_PAGE} bytes`, {cause});
