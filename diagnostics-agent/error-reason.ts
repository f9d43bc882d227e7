/** What an error says, for a log line: one line, the same each time while the trouble is the same. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails with one error for each of them, and no message of its own.
  const inner = error instanceof AggregateError ? error.errors.map(reasonOf).join('; ') : '';
  const text = (tlsReason(error) ?? (error.message || inner || error.name)).replace(/\s+/g, ' ').trim();
  // The gRPC library says when a connection failed, and puts a heading before nothing.
  return text.replace(/ \(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g, '').replace(/\.? Resolution note:$/, '');
}

/** OpenSSL puts what happened between numbers and names of source files, and beside them in `reason`. */
function tlsReason(error: Error & {readonly library?: unknown; readonly reason?: unknown}): string | undefined {
  return error.library === 'SSL routines' && typeof error.reason === 'string' ? `TLS: ${error.reason}` : undefined;
}
