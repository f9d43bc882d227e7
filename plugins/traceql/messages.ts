/** User text as it may stand in a message: a long one says nothing more after its first part. */
export function excerpt(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)}…`;
}
