/** Plain text in columns, the first one left-aligned. */
export function table(header, rows) {
  const all = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '))
    .join('\n');
}

export const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
export const times = (value) => value.toFixed(2);
export const mib = (value) => `${value.toFixed(0)} MiB`;
