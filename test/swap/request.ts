import type {Fields} from '../support/http.js';

/** A request to one of the listeners, and what it is to find, so that no comparison is of nothing with nothing. */
export interface SwapRequest {
  readonly listener: 'metrics' | 'traces';
  readonly path: string;
  readonly parameters?: Fields;
  readonly headers?: Readonly<Record<string, string>>;
  readonly finds: 'something' | 'nothing' | 'an error';
}
