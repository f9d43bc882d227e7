import type {Parameters} from '../../../core/api/plugin.js';
import type {SeriesFilter} from '../series/series-block.js';

/** The filter that `role` and `pod_name` ask for. One that is repeated takes any of its values. */
export function filterOf(parameters: Parameters): SeriesFilter {
  const roles = new Set(parameters.all('role'));
  const pods = new Set(parameters.all('pod_name'));
  const takes = (values: ReadonlySet<string>, value: string | undefined): boolean =>
    values.size === 0 || (value !== undefined && values.has(value));
  return ({role, pod}) => takes(roles, role) && takes(pods, pod);
}
