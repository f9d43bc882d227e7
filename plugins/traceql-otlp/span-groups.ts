import {compareNames, type OtlpSpan} from '../../core/api/plugin.js';
import {type OtlpSpanGroup, otlpResourceKey, otlpScopeKey} from '../../core/toolkit/otlp/encode.js';
import type {Steps} from '../../core/toolkit/yielder.js';

/**
 * Spans by their start, then by their id, in one group a distinct resource with its schema URL, and in it one list a distinct
 * scope with its own. Groups and lists are in the order in which they first occur.
 */
export function* spanGroups(spans: readonly OtlpSpan[]): Steps<readonly OtlpSpanGroup[]> {
  const groups = new Grouping(otlpResourceKey, () => new Grouping(otlpScopeKey, (): OtlpSpan[] => []));
  for (const span of [...spans].sort(byStart)) {
    groups.of(span.resource).of(span.scope).push(span);
    yield;
  }
  return groups.all.map(group => group.all);
}

function byStart(a: OtlpSpan, b: OtlpSpan): number {
  if (a.startTime !== b.startTime) return a.startTime < b.startTime ? -1 : 1;
  return compareNames(a.spanId, b.spanId);
}

/** By what an object says; nearly always it is one that has been seen. */
class Grouping<Key extends object, Group> {
  readonly #keyOf: (key: Key) => string;
  readonly #make: () => Group;
  readonly #known = new Map<Key, Group>();
  readonly #groups = new Map<string, Group>();

  constructor(keyOf: (key: Key) => string, make: () => Group) {
    this.#keyOf = keyOf;
    this.#make = make;
  }

  get all(): readonly Group[] {
    return [...this.#groups.values()];
  }

  of(object: Key): Group {
    const known = this.#known.get(object);
    if (known !== undefined) return known;
    const key = this.#keyOf(object);
    const group = this.#groups.get(key) ?? this.#make();
    this.#groups.set(key, group);
    this.#known.set(object, group);
    return group;
  }
}
