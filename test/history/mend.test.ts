/** Month files that were damaged. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTrouble } from '../../src/history/export/check.ts';
import { cardOf, cardsAnHourApart, exportInto, HOUR, monthFiles, started, stored } from './support.ts';

/** The ways in which lines of files are damaged. */
const DAMAGE = [
  (line: string) => line.slice(0, line.length / 3),
  (line: string) => `\0${line.slice(1)}`,
  (line: string) => line.replace('"created_at"', '"created at"'),
  (line: string) => line.replace(/[{}]/g, ''),
];

describe('a damaged line', () => {
  it('is named by --check, set aside by the next export, and its card is listed and bought again', async () => {
    const { service, dir } = await started(cardsAnHourApart(60));
    const whole = stored(dir);
    const path = join(dir, 'signals-2026-11.ndjson');
    const text = readFileSync(path, 'utf8').split('\n');
    const torn = text[9]?.slice(0, 300) ?? '';
    writeFileSync(path, text.with(9, torn).join('\n'));
    // As a backup gives it back.
    utimesSync(path, 1.7e9, 1.7e9);
    const trouble = await findTrouble(dir, 26 * HOUR, service.clock);
    const what = `${path}: line 10 is damaged (card 10)`;
    expect(trouble).toBe(`${what}. The next export gets what was lost again, for about 2 credits.`);
    const { error, summary, said, sent } = await exportInto(dir, service);
    expect([error, summary.new_cards, summary.cards_total, summary.complete]).toEqual([undefined, 0, 60, true]);
    expect(said.warnings).toEqual([`${path}: 1 damaged line set aside in ${path}.damaged; fetching them again.`]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(`${torn}\n`);
    expect(stored(dir)).toEqual(whole);
    // What is new, the hours around the line, and its outcome.
    expect(sent.map(({ name }) => name)).toEqual(['signals', 'signals', 'signal']);
    expect(await findTrouble(dir, 26 * HOUR, service.clock)).toBeUndefined();
  });

  it('two of three lines of each month: after the exports that the credits allow no card is missing', async () => {
    const details = Array.from({ length: 300 }, (_, i) => cardOf(300 - i, 30 + i * 2));
    const { service, dir } = await started(details, { allCredits: true });
    const nextExport = () => {
      service.refill();
      return exportInto(dir, service, { allCredits: true });
    };
    await nextExport();
    for (const path of monthFiles(dir).map((name) => join(dir, name))) {
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, lines.map((line, i) => (i % 3 === 0 ? line : DAMAGE[i % 4]?.(line))).join('\n'));
    }
    const { error, summary } = await nextExport();
    expect([error, summary.cards_total, stored(dir).length]).toEqual([undefined, 300, 300]);
    await nextExport();
    await nextExport();
    expect(stored(dir)).toEqual(details.toReversed());
  });
});
