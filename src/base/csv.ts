/** What a spreadsheet takes for a formula when a cell begins with it. */
const BEGINS_FORMULA = /^[\t\r\n\0]|^\s*[=+\-@|%]/;

/** Where a spreadsheet that splits at semicolons or tabs would find the beginning of a formula. */
const SPLIT_FORMULA = /(?<!^)([;\t])(?= *[=+\-@|%])/g;

/**
 * Writes `rows` as the text of a CSV file (RFC 4180) that spreadsheets read as UTF-8. A cell that
 * a spreadsheet would run as a formula begins with an apostrophe, which makes it a text there.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(value: string): string {
  const inside = value.replace(SPLIT_FORMULA, "$1'");
  const text = BEGINS_FORMULA.test(value) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(text) || text.startsWith("'")
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
