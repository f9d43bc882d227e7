import {
  type Family,
  type FamilyMetadata,
  type FamilySample,
  familyName,
} from '../../plugins/diagnostics/exposition/model.js';
import {type LineProblem, scan} from '../../plugins/diagnostics/exposition/scan.js';
import {writeSeries} from '../../plugins/diagnostics/exposition/write.js';

export interface Reading {
  /** In the order in which they begin. */
  readonly families: readonly Family[];
  /** Lines that are no samples. */
  readonly skipped: number;
  /** Samples that a later one of the same series replaced. */
  readonly repeated: number;
  readonly failure: LineProblem | undefined;
}

/** Reads text of the format into families. Of a series that occurs more than once the last value stands. */
export function readFamilies(text: string): Reading {
  const heads = new Map<string, FamilyMetadata>();
  const series = new Map<string, FamilySample>();
  let skipped = 0;
  let repeated = 0;
  const change = (name: string, part: Partial<FamilyMetadata>) => {
    heads.set(name, {type: 'untyped', help: '', ...heads.get(name), ...part});
  };
  const failure = scan(text, {
    type: (name, type) => change(name, {type}),
    help: (name, help) => change(name, {help}),
    sample: (name, labels, value) => {
      const key = writeSeries(name, labels);
      if (series.has(key)) repeated++;
      series.set(key, {name, labels, value});
    },
    skip: () => {
      skipped++;
    },
  });
  return {families: group(heads, series.values()), skipped, repeated, failure};
}

function group(heads: ReadonlyMap<string, FamilyMetadata>, all: Iterable<FamilySample>): readonly Family[] {
  const families = new Map<string, Family & {readonly samples: FamilySample[]}>();
  for (const [name, head] of heads) families.set(name, {name, ...head, samples: []});
  const typeOf = (name: string) => heads.get(name)?.type;
  for (const sample of all) {
    const name = familyName(sample.name, typeOf);
    const family = families.get(name) ?? {name, type: 'untyped', help: '', samples: []};
    families.set(name, family);
    family.samples.push(sample);
  }
  return [...families.values()];
}
