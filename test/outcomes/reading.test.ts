/** What the program counts of a history on disk, from outside. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cardOf, directory } from '../history/support.ts';
import { it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';

/** Cards of two months. */
const cards = Array.from({ length: 60 }, (_, i) => cardOf(i + 1, 30 + i * 12));

it('a line that is no JSON is counted nowhere and warned about as in ls; a stray file is not read; an id counts once', async ({
  screener,
}) => {
  const dir = writeCards(directory(), cards);
  const [october, november] = ['signals-2026-10.ndjson', 'signals-2026-11.ndjson'].map((name) => join(dir, name));
  const text = readFileSync(november ?? '', 'utf8');
  const [first = ''] = text.split('\n');
  copyFileSync(october ?? '', join(dir, 'signals-copy-2026-10.ndjson'));
  // Not JSON, though most of a card can be read from it; and a card that stands in two months.
  writeFileSync(november ?? '', `${text}${first.replace('"id":', '"id":0')}\n${first.slice(0, -2)}\n`);
  writeFileSync(october ?? '', `${readFileSync(october ?? '', 'utf8')}${first}\n`);
  const stats = await screener(['stats', '--from', dir, '--json']);
  const list = await screener(['signals', 'ls', '--from', dir, '--all', '--ndjson']);
  expect([stats.code, list.code]).toEqual([0, 0]);
  expect(JSON.parse(stats.stdout).rows).toBe(60);
  expect(list.stdout.trim().split('\n')).toHaveLength(60);
  expect(stats.stderr).toContain('2 damaged lines');
  const warning = (text: string) => text.split('\n').filter((line) => line.includes('2 damaged lines'));
  expect(warning(stats.stderr)).toEqual(warning(list.stderr));
});
