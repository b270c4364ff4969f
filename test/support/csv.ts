/** A reader of CSV by RFC 4180, written independently of the writer. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n)/y;

/** @throws Error for what is no RFC 4180 */
export function parseCsv(text: string): CsvCell[][] {
  const rows: CsvCell[][] = [];
  let row: CsvCell[] = [];
  for (let at = 0; at < text.length; at = CELL.lastIndex) {
    CELL.lastIndex = at;
    const [whole, quoted, bare = '', end] = CELL.exec(text) ?? [];
    if (whole === undefined) throw new Error(`no CSV: ${JSON.stringify(text.slice(at, at + 40))}`);
    row.push({ text: quoted?.replaceAll('""', '"') ?? bare, quoted: quoted !== undefined });
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error('the last row has no end');
  return rows;
}

/** A text cell as the README tells users to read it back. */
export function textOf(cell: string): string {
  const bare = /^'(?=['\s]*[=+\-@＝＋－＠]|'*[\t\r])/.test(cell) ? cell.slice(1) : cell;
  return bare.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
