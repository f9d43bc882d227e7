/** A metric of the catalog. */
export interface CatalogMetric {
  readonly name: string;
  readonly scope: string;
  readonly kind: string;
  readonly unit: string;
  readonly help: string;
}
