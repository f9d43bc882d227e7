import type {KeyValue} from '../../../../core/api/plugin.js';
import type {RecordObject} from '../json/record-object.js';

/** Pairs in the order of the sender. */
export function readKeyValues(object: RecordObject, key: string): readonly KeyValue[] {
  return object.objects(key).map(each => ({key: each.name('key'), value: each.content('value')}));
}
