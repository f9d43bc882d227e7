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
  readonly #primary: MetadataReader;
  /** The primary's, where it can tell: what is answered is the primary's too. */
  readonly version?: (seen?: SeenWindow) => number;

  constructor(comparer: TeeComparer) {
    this.#comparer = comparer;
    const primary = supplied(comparer.primary[CAPABILITY]);
    this.#primary = primary;
    if (primary.version !== undefined) this.version = seen => primary.version?.(seen) ?? Number.NaN;
  }

  layers(call: Call): Promise<readonly string[]> {
    const answer = this.#primary.layers(call);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question: TeeQuestion<readonly string[]> = {
      capability: CAPABILITY,
      method: 'layers',
      request: {},
      ask: (readers, by) => supplied(readers[CAPABILITY]).layers(by),
      form: layers => layers,
    };
    return watchAnswer(this.#comparer, question, answer, layers => [...layers]);
  }

  services(request: ServicesRequest, call: Call): NamePages {
    const names = this.#primary.services(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return names;
    return this.#watch('services', request, names, (readers, by) =>
      supplied(readers[CAPABILITY]).services(request, by),
    );
  }

  instances(request: InstancesRequest, call: Call): NamePages {
    const names = this.#primary.instances(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return names;
    return this.#watch('instances', request, names, (readers, by) =>
      supplied(readers[CAPABILITY]).instances(request, by),
    );
  }

  endpoints(request: EndpointsRequest, call: Call): NamePages {
    const names = this.#primary.endpoints(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return names;
    return this.#watch('endpoints', request, names, (readers, by) =>
      supplied(readers[CAPABILITY]).endpoints(request, by),
    );
  }

  #watch(
    method: keyof MetadataReader,
    request: ServicesRequest,
    names: NamePages,
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
      form: found => found,
    };
    return watchList(this.#comparer, question, names);
  }
}

/** The hint may be ignored: what it leaves out is no difference. */
function isHinted(name: string, {equals, oneOf, prefix}: NameHint): boolean {
  if (equals !== undefined && name !== equals) return false;
  if (oneOf !== undefined && !oneOf.includes(name)) return false;
  return prefix === undefined || name.startsWith(prefix);
}
