/** Undoes the escapes of a label value. A backslash before any other character stands for itself. */
export function unescapeLabelValue(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\"n])/g, (_, code: string) => (code === 'n' ? '\n' : code)) : text;
}

export function escapeLabelValue(text: string): string {
  return /[\\"\n]/.test(text) ? text.replace(/[\\"\n]/g, code => (code === '\n' ? '\\n' : `\\${code}`)) : text;
}

/** Undoes the escapes of a help text, in which a quotation mark is an ordinary character. */
export function unescapeHelp(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\n])/g, (_, code: string) => (code === 'n' ? '\n' : code)) : text;
}

export function escapeHelp(text: string): string {
  return text.replace(/[\\\n]/g, code => (code === '\n' ? '\\n' : '\\\\'));
}
