import type {IndexedSpan} from '../../../../core/toolkit/traces/model.js';
import {forEachTerm} from './attributes.js';

/** The values of an attribute that are remembered. */
export class IndexAttribute {
  readonly name: string;
  readonly values = new Map<string, IndexTerm>();
  /** The block that is being built, and the terms of the attribute in it. Of other blocks it says nothing. */
  block = 0;
  terms: IndexTerm[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of an attribute in the index. Terms come again with most spans, and each is looked up among the terms of before. */
export class IndexTerm {
  readonly of: IndexAttribute;
  readonly value: string;
  /** The block that is being built, and the spans in it that have this term. Of other blocks it says nothing. */
  block = 0;
  ordinals: number[] = [];
  /** Ordinals of lists that the term is in too. */
  others: (readonly number[])[] | undefined;

  constructor(of: IndexAttribute, value: string) {
    this.of = of;
    this.value = value;
  }

  get attribute(): string {
    return this.of.name;
  }
}

/** Terms that many spans have together, as those of a resource: of a block it is noted once which. */
export class TermList {
  readonly terms: readonly IndexTerm[];
  /** As of a term. */
  block = 0;
  ordinals: number[] = [];

  constructor(terms: readonly IndexTerm[]) {
    this.terms = terms;
  }
}

export const NO_TERMS = new TermList([]);

/** So many terms are remembered; then it is begun anew, since there may be terms that never come again. */
const REMEMBERED = 16_384;
/** Longer values seldom repeat. */
const LONGEST = 256;

/** Terms by what they say. Two objects may stand for one term: when it was forgotten meanwhile. */
export class IndexTerms {
  readonly #known = new Map<string, IndexAttribute>();
  #count = 0;

  of(attribute: string, value: string): IndexTerm {
    let of = this.#known.get(attribute);
    if (of === undefined) {
      of = new IndexAttribute(attribute);
      this.#known.set(attribute, of);
    }
    let term = of.values.get(value);
    if (term === undefined) {
      term = new IndexTerm(of, value);
      if (value.length > LONGEST) return term;
      if (++this.#count > REMEMBERED) {
        this.#known.clear();
        this.#count = 0;
      } else of.values.set(value, term);
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
