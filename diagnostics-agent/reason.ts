/** What an error says, for a log line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails with one error for each of them, and no message of its own.
  const inner = error instanceof AggregateError ? error.errors.map(reasonOf).join('; ') : '';
  return error.message || inner || error.name;
}
