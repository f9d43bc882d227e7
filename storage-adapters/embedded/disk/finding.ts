/** Something about the files of the folder that an operator should know. */
export interface Finding {
  readonly text: string;
  /** Data has been lost or cannot be read. */
  readonly isLoss: boolean;
}
