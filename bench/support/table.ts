/** Prints rows with their columns aligned: text to the left, numbers to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [header, ...rows.map(row => row.map(cell => (typeof cell === 'number' ? format(cell) : cell)))];
  const widths = header.map((_, column) => Math.max(...cells.map(row => (row[column] ?? '').length)));
  const numeric = header.map((_, column) => rows.every(row => typeof row[column] === 'number'));
  for (const row of cells) {
    const line = row.map((cell, column) =>
      numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    process.stdout.write(`${line.join('  ').trimEnd()}\n`);
  }
  process.stdout.write('\n');
}

/** Three significant digits are what such a measurement gives. */
export function format(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
