/** Text of 80 columns: help is the same on every terminal. */
import { wrap } from '../output/wrap.ts';

const WIDTH = 80;
/** Characters; the explanation of a longer term stands below it if one line cannot hold both. */
const LONGEST_TERM = 34;

/** Words joined into lines; the lines after the first are indented. Line breaks count as spaces. */
export function paragraph(text: string, indent = 0): string {
  return wrap(text.replaceAll('\n', ' '), { width: WIDTH, indent }).join('\n');
}

export function columns(rows: readonly (readonly [term: string, about: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM));
  const indent = width + 4;
  return rows.map(([term, about]) => {
    const start = `  ${term}`;
    if (about === '') return start;
    if (term.length > LONGEST_TERM && start.length + about.length + 2 <= WIDTH) return `${start}  ${about}`;
    if (term.length > LONGEST_TERM) return `${start}\n${paragraph(`${' '.repeat(indent)}${about}`, indent)}`;
    // The term may hold several spaces in a row, so only the explanation is wrapped.
    return `${start.padEnd(indent)}${paragraph(`${' '.repeat(indent)}${about}`, indent).trimStart()}`;
  });
}
