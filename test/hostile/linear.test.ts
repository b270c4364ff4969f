import { describe, expect, it } from 'vitest';
import { parseApiTime } from '../../src/api/time.ts';
import { normaliseBaseUrl, unquoted } from '../../src/config/base-url.ts';
import { csvCell, csvText } from '../../src/output/formats/csv-cell.ts';
import { escapeJson, safeText } from '../../src/output/safe-text.ts';
import { measure } from '../../src/output/table/measure.ts';
import { expandHome } from '../../src/runtime/directories.ts';
import { readDuration } from '../../src/runtime/durations.ts';
import { shellWord } from '../../src/runtime/shell-words.ts';
import { parseCsv, textOf } from '../support/csv.ts';

/** So long that a test would take many minutes where time grew with the square of it. */
const LENGTH = 200_000;

/** What expressions look for, each as a long run and with an end that disappoints them. */
const SIGNS = [
  ' ',
  '\t',
  '\n',
  '\r',
  ';',
  '"',
  "'",
  '\\',
  '/',
  '-',
  '=',
  '.',
  '0',
  'a',
  'é',
  '\u200d',
  '\ufe0f',
  '#\ufe0f',
];
const RUNS = [
  ...SIGNS,
  '; ',
  '\t"',
  '\\"',
  '\u{1f469}',
  '\u{1f469}\u{1f3fd}',
  '\u{1f469}\u200d',
  '\ud800',
  '\x1b[',
  '&',
  '<',
];
const texts = RUNS.flatMap((run) => {
  const long = run.repeat(LENGTH / run.length);
  return [`${long}x`, `x${long}=`];
});

const takes: Readonly<Record<string, (text: string) => unknown>> = {
  safeText,
  escapeJson,
  csvText,
  'a list in CSV': (text) => csvCell([text]),
  'a word for sh': (text) => shellWord(text),
  'a word for PowerShell': (text) => shellWord(text, 'powershell'),
  'the width of a text': (text) => measure(safeText(text).slice(0, 10_000)),
  'a duration': readDuration,
  'a time': parseApiTime,
  'a base URL in quotes': unquoted,
  'a path': (text) => expandHome(text, {}),
};

describe('time grows with the length of a text, and not faster', () => {
  it.each(Object.entries(takes))('%s', (_, take) => {
    for (const text of texts) take(text);
  });

  it('a base URL of many slashes', () => {
    expect(normaliseBaseUrl(`https://example.org/api/external/v1${'/'.repeat(LENGTH)}`)).toMatch(/v1$/);
    expect(() => normaliseBaseUrl(`https://example.org/${'/'.repeat(LENGTH)}x`)).toThrow("The base URL's path is");
  });

  it('a cell of CSV is the text still', () => {
    const text = `${' '.repeat(LENGTH)};${' "'.repeat(1000)}=1`;
    const [[cell = { text: '' }] = []] = parseCsv(`${csvText(text)}\r\n`);
    expect(cell.text.endsWith('\\u003d1')).toBe(true);
    expect(textOf(cell.text)).toBe(text);
  });
});
