/** What `/-/plugins` of the admin listener answers, as far as it is shown. */
export interface Component {
  readonly name: string;
  readonly version?: string;
  readonly state: string;
  readonly message?: string;
}

export interface Status {
  readonly gateway: {readonly version: string; readonly state: string};
  readonly storage:
    | (Component & {readonly capabilities: readonly string[]; readonly differences?: readonly unknown[]})
    | null;
  readonly plugins: readonly (Component & {readonly listener: string; readonly prefix: string})[];
}
