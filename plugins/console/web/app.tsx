import type {ComponentType} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {addressOf, type Place, usePlace} from './base/location.js';
import {Overview} from './overview/overview.js';
import {Failure} from './parts/notes.js';

interface PageProps {
  readonly place: Place;
}

type Page = ComponentType<PageProps>;

/** The first part of an address → the page, loaded when it is first opened. */
const PAGES: Readonly<Record<string, {readonly title: string; readonly load: () => Promise<Page>}>> = {
  '': {title: 'Overview', load: async () => Overview},
  query: {title: 'Query', load: async () => (await import('./query/query-page.js')).QueryPage},
  traces: {title: 'Traces', load: async () => (await import('./traces/traces-page.js')).TracesPage},
  services: {title: 'Services', load: async () => (await import('./services/services-page.js')).ServicesPage},
  fleet: {title: 'Fleet', load: async () => (await import('./fleet/fleet-page.js')).FleetPage},
};

/** The frame that every page stays in, whatever fails within. */
export function App() {
  const place = usePlace();
  const [name = ''] = place.path.split('/');
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  const title = page?.title ?? 'Not found';

  useEffect(() => {
    document.title = `${title} · query-gateway`;
  }, [title]);
  // Whoever follows a link by keyboard or hears the page goes on at its beginning.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({preventScroll: true});
    scrollTo(0, 0);
  }, [place.path]);

  return (
    <>
      <header class="top">
        <a class="skip" href={`${location.pathname}${location.search}`} onClick={event => skipTo(event, main.current)}>
          Skip to content
        </a>
        <a class="brand" href={addressOf('')}>
          <Mark />
          query-gateway
        </a>
        <nav aria-label="Pages">
          <ul>
            {Object.entries(PAGES).map(([path, {title: text}]) => (
              <li key={path}>
                <a href={addressOf(path)} aria-current={path === name ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main ref={main} tabIndex={-1}>
        {page === undefined ? (
          <>
            <h1>Not found</h1>
            <p>The console has no page at this address.</p>
          </>
        ) : (
          <Loaded key={name} load={page.load} title={title} place={place} />
        )}
      </main>
    </>
  );
}

function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

interface LoadedProps extends PageProps {
  readonly load: () => Promise<Page>;
  readonly title: string;
}

function Loaded({load, title, place}: LoadedProps) {
  const [page, setPage] = useState<{readonly Page: Page} | Error>();
  useEffect(() => {
    load().then(
      Page => setPage({Page}),
      (error: Error) => setPage(error),
    );
  }, [load]);
  if (page instanceof Error) {
    return (
      <>
        <h1>{title}</h1>
        <Failure what="This page cannot be loaded" error={page} />
      </>
    );
  }
  if (page === undefined) return <h1 aria-busy="true">{title}</h1>;
  const {Page} = page;
  return <Page place={place} />;
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2f5fd0" />
      <path
        d="M6 20h5l3-9 5 13 3-8h4"
        fill="none"
        stroke="#fff"
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
