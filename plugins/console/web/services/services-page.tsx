import {type Place, partsOf} from '../base/location.js';
import {ServicePage} from './service-page.js';
import {TopologyPage} from './topology-page.js';

/** The picture of all services, or the page of one. */
export function ServicesPage({place}: {readonly place: Place}) {
  const [, layer, service] = partsOf(place.path);
  if (layer === undefined || service === undefined) return <TopologyPage query={place.query} />;
  return <ServicePage key={place.path} layer={layer} service={service} query={place.query} />;
}
