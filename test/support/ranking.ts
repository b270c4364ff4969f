/** Reads the table of `stats --by` as people do: each line below the heading of its section. */

export interface RankedLine {
  /** Empty where an order was asked for, which has no sections. */
  readonly heading: string;
  /** The type or symbol, with `*` where its settings changed. */
  readonly group: string;
  readonly line: string;
  /** The same without its indent. */
  readonly text: string;
  /** The column VERDICT; of another table the last one. */
  readonly verdict: string;
}

/** @param header the first word of the table's header, `TYPE` or `SYMBOL` */
export function rankedLines(page: string, header = 'TYPE'): RankedLine[] {
  const lines = page.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith(`${header} `));
  if (start === -1) throw new Error(`No table that begins with ${header}:\n${page}`);
  const verdictStart = lines[start]?.indexOf('VERDICT') ?? -1;
  const verdictOf = (line: string, cells: readonly string[]) =>
    verdictStart === -1 ? (cells.at(-1) ?? '') : line.slice(verdictStart).trim();
  const ranked: RankedLine[] = [];
  let heading = '';
  for (const line of lines.slice(start + 1)) {
    const text = line.trimStart();
    const cells = text.split(/ {2,}/);
    const isRow = cells.length >= 2;
    const isNote = /^([━*]|Bought|unclear|Above, below)/.test(line);
    if (text === '' || isNote) break;
    if (isRow)
      ranked.push({ heading, line, group: cells[0] ?? '', text, verdict: verdictOf(line, cells) });
    else heading = text;
  }
  return ranked;
}
