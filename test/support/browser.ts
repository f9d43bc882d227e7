import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {type Browser, type BrowserContextOptions, chromium, type Page} from 'playwright-core';
import {located} from './programs.js';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What WCAG 2.2 AA asks for, and what the tool holds good practice to be. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Opens a page, and notes what a browser complains of: a violated policy is such a complaint. */
export class TestBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The folder of its profile is temporary, made and removed by the driver. */
  static async open(): Promise<TestBrowser> {
    return new TestBrowser(await chromium.launch({executablePath: located('chromium'), args: FLAGS}));
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async page(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const context = await this.#browser.newContext({viewport: {width: 1280, height: 900}, ...options});
    return new WatchedPage(await context.newPage());
  }
}

export class WatchedPage {
  readonly page: Page;
  readonly complaints: string[] = [];
  /** The hosts that were asked for anything. */
  readonly hosts = new Set<string>();

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(60_000);
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    page.on('pageerror', error => this.complaints.push(String(error)));
    page.on('request', request => this.hosts.add(new URL(request.url()).host));
  }

  /** What makes the page hard to use, as axe sees it: the rule, and where it is broken. */
  async barriers(): Promise<readonly string[]> {
    // Through the debugger, as a script of the page it would be refused by its policy.
    await this.page.evaluate(AXE);
    return this.page.evaluate(async tags => {
      const {axe} = globalThis as unknown as {axe: {run(root: unknown, options: object): Promise<AxeResults>}};
      const root = (globalThis as unknown as {document: unknown}).document;
      const {violations} = await axe.run(root, {runOnly: {type: 'tag', values: tags}});
      return violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map(({html}) => html).join(' ')}`);
    }, TAGS);
  }

  /** CSS pixels by which the page is wider than the window. */
  sideways(): Promise<number> {
    return this.page.evaluate(() => {
      const {document, innerWidth} = globalThis as unknown as {
        document: {documentElement: {scrollWidth: number}};
        innerWidth: number;
      };
      return document.documentElement.scrollWidth - innerWidth;
    });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly {readonly html: string}[];
  }[];
}
