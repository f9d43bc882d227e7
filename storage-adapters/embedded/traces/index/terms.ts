import type {IndexedSpan} from '../../../../core/toolkit/traces/model.js';
import {forEachTerm} from './attributes.js';

/** A value of an attribute in the index. Terms come again with most spans, and each is looked up among the terms of before. */
export class IndexTerm {
  readonly attribute: string;
  readonly value: string;
  /** The block that is being built, and the spans in it that have this term. Of other blocks it says nothing. */
  block = 0;
  ordinals: number[] = [];

  constructor(attribute: string, value: string) {
    this.attribute = attribute;
    this.value = value;
  }
}

/** So many terms are remembered; then it is begun anew, since there may be terms that never come again. */
const REMEMBERED = 16_384;
/** Longer values seldom repeat. */
const LONGEST = 256;

/** Terms by what they say. Two objects may stand for one term: when it was forgotten meanwhile. */
export class IndexTerms {
  readonly #known = new Map<string, Map<string, IndexTerm>>();
  #count = 0;

  of(attribute: string, value: string): IndexTerm {
    let values = this.#known.get(attribute);
    if (values === undefined) {
      values = new Map();
      this.#known.set(attribute, values);
    }
    let term = values.get(value);
    if (term === undefined) {
      term = new IndexTerm(attribute, value);
      if (value.length > LONGEST) return term;
      if (++this.#count > REMEMBERED) {
        this.#known.clear();
        this.#count = 0;
      } else values.set(value, term);
    }
    return term;
  }

  /** Those of a compat or native span. */
  ofSpan(span: IndexedSpan): readonly IndexTerm[] {
    const terms: IndexTerm[] = [];
    forEachTerm(span, (attribute, value) => terms.push(this.of(attribute, value)));
    return terms;
  }
}
