/** What each type is set to, on the report. */
import { expect, it } from 'vitest';
import { settingsSection } from '../../src/report/settings.ts';
import { standing } from '../support/standing.ts';

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  pump: ['price rises', 'turnover 5M', 'at most 1 a day'],
  dump: ['price falls', 'turnover 5M', 'at most 1 a day'],
  flat: ['turnover 5M', 'at most 1 a day'],
  unknown: [],
};

/** The rows of the section: a name, and the settings. */
function rowsOf(types: readonly string[]): (readonly [name: string, settings: string])[] {
  const text = settingsSection(
    types.map((type) => standing(type)),
    (type) => SETTINGS[type] ?? [],
  );
  const rows = (text?.text ?? '').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g);
  return Array.from(rows, ([, name = '', settings = '']) => [name, settings] as const);
}

it.each([
  {
    what: 'once what all have in common',
    types: ['pump', 'dump', 'flat', 'unknown'],
    rows: [
      ['All', 'turnover 5M; at most 1 a day'],
      ['pump', 'price rises'],
      ['dump', 'price falls'],
      ['flat', 'nothing else'],
    ],
  },
  {
    what: 'all of a single type',
    types: ['pump'],
    rows: [['pump', 'price rises; turnover 5M; at most 1 a day']],
  },
])('says $what', ({ types, rows }) => {
  expect(rowsOf(types)).toEqual(rows);
});
