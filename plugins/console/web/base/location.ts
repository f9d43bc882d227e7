import {useEffect, useState} from 'preact/hooks';

/** The console's root, as a path that ends with a slash: the page says where it is, from any depth. */
export const ROOT = new URL(document.baseURI).pathname;

/** Where the user is: all state of the pages is in here. */
export interface Place {
  /** Without the root and slashes around it; empty on the overview. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

const MOVED = new EventTarget();

function currentPlace(): Place {
  const path = location.pathname.startsWith(ROOT) ? location.pathname.slice(ROOT.length) : '';
  return {path: path.replace(/^\/+|\/+$/g, ''), query: new URLSearchParams(location.search)};
}

/** An address within the console. Values that are undefined or empty are left out. */
export function addressOf(path: string, values: Values = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of [value ?? []].flat()) if (each !== '') query.append(name, each);
  }
  const text = query.toString();
  return ROOT + path + (text === '' ? '' : `?${text}`);
}

/** Parts that a browser would take for steps to the folder above, or to the same. */
const DOTS = /^~*\.{1,2}$/;

/** Path parts may hold anything: they are names that senders chose. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map(part => (DOTS.test(part) ? `~${part}` : encodeURIComponent(part))).join('/');
}

/** The parts that a path was made of. */
export function partsOf(path: string): readonly string[] {
  return path.split('/').map(part => {
    const text = decoded(part);
    return DOTS.test(text) ? text.replace(/^~/, '') : text;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Goes to an address of the console. Small steps of a page (`replace`) do not fill the history. */
export function goTo(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  MOVED.dispatchEvent(new Event('move'));
}

/** The same page with some of its values changed. */
export function change(values: Values, how: 'push' | 'replace' = 'push'): void {
  const {path, query} = currentPlace();
  const all: Record<string, string | readonly string[] | undefined> = {};
  for (const name of query.keys()) all[name] = query.getAll(name);
  goTo(addressOf(path, {...all, ...values}), how);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const moved = (): void => setPlace(currentPlace());
    addEventListener('popstate', moved);
    MOVED.addEventListener('move', moved);
    return () => {
      removeEventListener('popstate', moved);
      MOVED.removeEventListener('move', moved);
    };
  }, []);
  return place;
}

/** Lets links within the console change the page without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', event => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest('a');
    const href = link?.getAttribute('href');
    if (!href || link?.hasAttribute('download') || link?.hasAttribute('target')) return;
    const url = new URL(href, document.baseURI);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    if (/^(api|assets)\//.test(url.pathname.slice(ROOT.length))) return;
    event.preventDefault();
    goTo(url.pathname + url.search);
  });
}
