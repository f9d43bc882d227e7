import {addressOf, type Place, partsOf} from '../base/location.js';
import {sourceOf} from '../base/sources.js';
import {SearchPage} from './search-page.js';
import {TracePage} from './trace-page.js';

/** Where the tab keeps the address of its latest search, for the way back from a trace. */
const LATEST = 'latest-search';

/** The search, or the trace whose address it is. */
export function TracesPage({place}: {readonly place: Place}) {
  const [, kind, ...rest] = partsOf(place.path);
  if (kind === undefined) {
    sessionStorage.setItem(LATEST, location.href);
    return <SearchPage place={place} />;
  }
  const source = sourceOf(kind);
  const id = rest.length === 1 ? (rest[0] ?? '') : '';
  if (source === undefined || id === '') {
    return (
      <>
        <h1>No such trace</h1>
        <p>
          Addresses of traces are <code>traces/native/ID</code>, <code>traces/compat/ID</code> or{' '}
          <code>traces/otlp/ID</code>. <a href={addressOf('traces')}>Search for traces</a>
        </p>
      </>
    );
  }
  const search = sessionStorage.getItem(LATEST) ?? undefined;
  return <TracePage key={`${kind}/${id}`} source={source} id={id} query={place.query} search={search} />;
}
