import type {OtlpFilter} from '../../../core/api/plugin.js';
import type {QueryCondition} from '../language/ast.js';
import type {TraceSource} from '../source.js';

/** The conditions of a query as readers take them: names as spans of the kind carry them. */
export function toFilter(conditions: readonly QueryCondition[], source: Pick<TraceSource, 'foldName'>): OtlpFilter {
  return conditions.map(condition => {
    switch (condition.on) {
      case 'service':
      case 'name':
        return {on: condition.on, value: source.foldName(condition.value)};
      case 'name-or-tag':
        return {...condition, name: source.foldName(condition.value)};
      default:
        return condition;
    }
  });
}
