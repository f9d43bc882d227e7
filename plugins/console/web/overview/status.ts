/** What `/-/plugins` of the admin listener answers, as far as it is shown. */
export interface Component {
  readonly name: string;
  readonly version?: string;
  readonly state: string;
  readonly message?: string;
}

/** A question that the two storages of a tee have answered differently; all but the names is JSON, cut where it is long. */
export interface AnsweredDifference {
  readonly time: string;
  readonly capability: string;
  readonly method: string;
  readonly request: string;
  readonly at: string;
  readonly primary: string;
  readonly secondary: string;
}

export interface Status {
  readonly gateway: {readonly version: string; readonly state: string};
  readonly storage:
    | (Component & {readonly capabilities: readonly string[]; readonly differences?: readonly AnsweredDifference[]})
    | null;
  readonly plugins: readonly (Component & {readonly listener: string; readonly prefix: string})[];
}
