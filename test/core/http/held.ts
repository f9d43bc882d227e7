import {ask, get} from '../../support/http.js';
import type {OpenGateway} from '../../support/library.js';

type Urls = OpenGateway['urls'];

/** Asks again until the answer is this text. */
async function until(url: string, text: RegExp): Promise<void> {
  while (!text.test((await get(url)).text)) await new Promise(resolve => setTimeout(resolve, 5));
}

/** Waits until the fixture plugin holds so many requests. */
export const held = (urls: Urls, count: number) => until(`${urls.fixture}/held`, new RegExp(`^${count}$`));

/** Waits until so many queries wait for their turn. */
export const waiting = (urls: Urls, count: number) =>
  until(`${urls.admin}/metrics`, new RegExp(`^query_gateway_queries_waiting\\{component="gateway"\\} ${count}$`, 'm'));

export const release = (urls: Urls) => ask(`${urls.fixture}/release`, {method: 'POST'});

/** Releases what is held until every answer has come. */
export async function releaseAll<T>(urls: Urls, answers: Promise<T>): Promise<T> {
  let done = false;
  void answers.finally(() => {
    done = true;
  });
  while (!done) await release(urls);
  return answers;
}
