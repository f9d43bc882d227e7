import type {ExecutionContext} from 'ava';
import type {TestBrowser, WatchedPage} from '../../support/browser.js';

/** The browser and the console of a file's tests, once they run. */
export interface Shared {
  readonly browser?: TestBrowser;
  readonly url: string;
}

type PageOptions = Parameters<TestBrowser['page']>[0];

/**
 * Opens an address of the console in a page of its own, and looks at its end that the browser did not complain and no
 * other host was asked.
 */
export function visitor(shared: Shared) {
  return async (
    t: ExecutionContext,
    path: string,
    look: (watched: WatchedPage) => Promise<void>,
    options: PageOptions = {},
  ): Promise<void> => {
    const watched = await shared.browser?.page(options);
    if (watched === undefined) throw new Error('the browser has not started');
    try {
      await watched.page.goto(shared.url + path);
      await look(watched);
      // A refusal that a page asked for is noted by the browser too.
      t.deepEqual(
        watched.complaints.filter(text => !/status of 40[04]/.test(text)),
        [],
      );
      t.deepEqual([...watched.hosts], [new URL(shared.url).host]);
    } finally {
      await watched.close();
    }
  };
}
