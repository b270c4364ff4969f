const CELLS = / {2,}/;
const BAR = /[█░]+/g;

/**
 * What stays the same in an output while its figures change: headers, labels, sentences without their numbers, keys of
 * JSON, columns of rows. One entry a line; equal neighbours count once, for nobody knows how many cards there are.
 * @param terminal on a terminal the columns that fit depend on the data, so they are left out
 */
export function shapeOf(text: string, terminal: boolean): string[] {
  const lines: string[] = [];
  let columns = 0;
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    const cells = line.trim().split(CELLS);
    if (cells.length < 2) columns = 0;
    // README's own mark for lines left out; the note of a mark is there if the mark is.
    if (line === '' || line === '…' || line.startsWith('* ')) continue;
    let entry: string;
    if (line.startsWith('{')) {
      entry = `json: ${keysOf(JSON.parse(line)).join(' ')}`;
    } else if (cells.length > 1 && cells.every((cell) => isHeading(cell) || isAxis(cell))) {
      columns = cells.length;
      entry = terminal ? 'header' : `header: ${cells.filter((cell) => !isAxis(cell)).join(' | ')}`;
    } else if (columns > 0) {
      // One cell more than there are headings: the first one names the row.
      const name = cells.length > columns ? `${cells[0]}, ` : '';
      entry = terminal ? 'row' : `row: ${name}${cells.length} cells`;
    } else {
      entry = cells.length > 1 ? `label: ${withoutFigures(cells.join(' '))}` : withoutFigures(line);
    }
    if (entry !== lines.at(-1)) lines.push(entry);
  }
  return lines;
}

function isHeading(cell: string): boolean {
  return /^[A-Z0-9 .%>()]+$/.test(cell) && /[A-Z]{2}|1H|24H/.test(cell) && !/USDT$/.test(cell);
}

/** The ends of a drawn axis, and its zero: they stand where a heading would. */
function isAxis(cell: string): boolean {
  return /^[-+]?\d+\.?\d*( 0)?$/.test(cell);
}

function withoutFigures(text: string): string {
  return text
    .replace(BAR, '█')
    .split(' ')
    .map((word) => (/\d|…|USDT/.test(word) || word.length > 24 ? '#' : word))
    .join(' ')
    .replace(/# (credit|card|outcome)s\b/g, '# $1');
}

function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [path] : keysOf(value[0], `${path}[]`);
  if (value === null || typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    keysOf(inner, path === '' ? key : `${path}.${key}`),
  );
}
