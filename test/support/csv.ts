/** A reader of CSV by RFC 4180, written independently of the writer. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

export function parseCsv(text: string): CsvCell[][] {
  const rows: CsvCell[][] = [];
  let row: CsvCell[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    const quoted = text[at] === '"';
    if (quoted) {
      at += 1;
      while (text[at] !== '"' || text[at + 1] === '"') {
        if (at >= text.length) throw new Error('a quoted cell has no end');
        at += text[at] === '"' ? 1 : 0;
        cell += text[at];
        at += 1;
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== ',' && !text.startsWith('\r\n', at)) {
        if (/["\r\n]/.test(text[at] ?? '')) throw new Error('an unquoted cell has a quote or a newline');
        cell += text[at];
        at += 1;
      }
    }
    row.push({ text: cell, quoted });
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) throw new Error('the last row has no end');
      if (text.startsWith('\r\n', at)) row.push({ text: '', quoted: false });
    }
    if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else if (text[at - 1] !== ',')
      throw new Error(`something follows a cell: ${JSON.stringify(text.slice(at, at + 9))}`);
  }
  if (row.length > 0) throw new Error('the last row has no end');
  return rows;
}

/** A text cell as the README tells users to read it back. */
export function textOf(cell: string): string {
  const bare = /^'(?=['\s]*[=+\-@＝＋－＠]|'*[\t\r])/.test(cell) ? cell.slice(1) : cell;
  return bare.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
