import type {
  Call,
  EndpointsRequest,
  InstancesRequest,
  MetadataReader,
  NameHint,
  NamePages,
  Readers,
  SeenWindow,
  ServicesRequest,
} from '../../../core/api/adapter.js';
import type {TeeComparer} from '../compare/comparer.js';
import {supplied, type TeeQuestion} from '../compare/question.js';
import {type TeeListQuestion, watchAnswer, watchList} from '../compare/watch.js';

const CAPABILITY = 'metadata.query.v1';

/** Entities of the primary, compared. */
export class TeeMetadataReader implements MetadataReader {
  readonly #comparer: TeeComparer;
  /** The primary's, where it can tell: what is answered is the primary's too. */
  readonly version?: (seen?: SeenWindow) => number;

  constructor(comparer: TeeComparer) {
    this.#comparer = comparer;
    const primary = comparer.primary[CAPABILITY];
    if (primary?.version !== undefined) this.version = seen => primary.version?.(seen) ?? Number.NaN;
  }

  layers(call: Call): Promise<readonly string[]> {
    const question: TeeQuestion<readonly string[]> = {
      capability: CAPABILITY,
      method: 'layers',
      request: {},
      ask: (readers, by) => supplied(readers[CAPABILITY]).layers(by),
      form: layers => layers,
    };
    return watchAnswer(this.#comparer, question, call, layers => [...layers]);
  }

  services(request: ServicesRequest, call: Call): NamePages {
    return this.#names('services', request, call, (readers, by) => supplied(readers[CAPABILITY]).services(request, by));
  }

  instances(request: InstancesRequest, call: Call): NamePages {
    return this.#names('instances', request, call, (readers, by) =>
      supplied(readers[CAPABILITY]).instances(request, by),
    );
  }

  endpoints(request: EndpointsRequest, call: Call): NamePages {
    return this.#names('endpoints', request, call, (readers, by) =>
      supplied(readers[CAPABILITY]).endpoints(request, by),
    );
  }

  #names(
    method: keyof MetadataReader,
    request: ServicesRequest,
    call: Call,
    pages: (readers: Readers, call: Call) => NamePages,
  ): NamePages {
    const {name = {}} = request;
    const question: TeeListQuestion<readonly string[], string> = {
      capability: CAPABILITY,
      method,
      request,
      pieces: pages,
      itemsOf: page => page.filter(each => isHinted(each, name)),
      sizeOf: page => page.length,
      form: names => names,
    };
    return watchList(this.#comparer, question, call);
  }
}

/** The hint may be ignored: what it leaves out is no difference. */
function isHinted(name: string, {equals, oneOf, prefix}: NameHint): boolean {
  if (equals !== undefined && name !== equals) return false;
  if (oneOf !== undefined && !oneOf.includes(name)) return false;
  return prefix === undefined || name.startsWith(prefix);
}
