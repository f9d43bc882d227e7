import {addressOf, type Place} from '../base/location.js';
import {sourceOf} from '../base/sources.js';
import {SearchPage} from './search-page.js';
import {TracePage} from './trace-page.js';

/** The address of the latest search, for the way back from a trace. */
let latest: string | undefined;

/** The search, or the trace whose address it is. */
export function TracesPage({place}: {readonly place: Place}) {
  const [, kind, ...rest] = place.path.split('/');
  if (kind === undefined) {
    latest = location.href;
    return <SearchPage place={place} />;
  }
  const source = sourceOf(kind);
  const id = rest.length === 1 ? decoded(rest[0] ?? '') : '';
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
  return <TracePage key={`${kind}/${id}`} source={source} id={id} query={place.query} search={latest} />;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
