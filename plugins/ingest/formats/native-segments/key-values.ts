import type {KeyValue} from '../../../../core/api/plugin.js';
import {CUT} from '../../../../core/toolkit/traces/content-budget.js';
import type {RecordObject} from '../json/record-object.js';

/** Pairs in the order of the sender; of too many the first, and one that tells of the others. */
export function readKeyValues(object: RecordObject, key: string): readonly KeyValue[] {
  const {items, mark} = object.first(object.objects(key));
  const pairs = items.map(each => ({key: each.name('key'), value: each.content('value')}));
  return mark === undefined ? pairs : [...pairs, {key: CUT + key, value: mark}];
}
