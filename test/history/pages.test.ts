import { describe, expect, it } from 'vitest';
import { run as runExport } from '../../src/commands/signals-export.ts';
import { run as runStats } from '../../src/commands/stats-from.ts';
import { createOutput } from '../../src/output/output.ts';
import { testContext } from '../support/context.ts';
import { cardOf, cardsAnHourApart, exportInto, invocationOf, Service, temporaryDirectories } from './support.ts';

const directory = temporaryDirectories();

async function statsPage(details: Parameters<typeof cardOf>[] | number, width: number | undefined, by?: 'type') {
  const dir = directory();
  const cards = typeof details === 'number' ? cardsAnHourApart(details) : details.map((args) => cardOf(...args));
  await exportInto(dir, new Service({ details: cards }));
  const context = testContext(width === undefined ? {} : { width });
  const invocation = invocationOf({ format: 'table' });
  const output = createOutput({ context, format: 'table', fields: undefined, notes: invocation.notes, color: false });
  await runStats({ ...invocation, context, output }, { directory: dir, by });
  return context.stdout.text;
}

describe('stats --from for people', () => {
  it('shows every figure, what it assumes and what it is not', async () => {
    const text = await statsPage(60, undefined);
    for (const words of [
      'Outcomes of 60 cards',
      'Without an outcome',
      'Median vs BTC',
      'independent signals',
      'UTC days',
      'not trading profit',
    ]) {
      expect(text).toContain(words);
    }
    expect(text.replace('not trading profit', '')).not.toMatch(/profit|\bwin|P&L/i);
  });

  it.each([60, 80, 120, 200])('draws the moves on a terminal of %i columns, zero and median marked', async (width) => {
    const text = await statsPage(120, width, 'type');
    expect(text).toMatch(/0 is zero, M the median, X both/);
    expect(text).toMatch(/[▁▂▃▄▅▆▇█]|[.:\-=+*%#]{3}/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    expect(await statsPage(120, undefined, 'type')).not.toContain('zero, M');
  });

  it('says not yet measurable, and why there is no interval', async () => {
    const none = await statsPage([[1, 2]], 80);
    expect(none).toContain('not yet measurable');
    const few = await statsPage(
      [
        [1, 30],
        [2, 31],
      ],
      80,
    );
    expect(few).toContain('needs 6');
    expect(few).toContain('Fewer than 6');
  });
});

it('the quote of an export is a page for people', async () => {
  const service = new Service({ details: cardsAnHourApart(60) });
  const dir = directory();
  await exportInto(dir, service, { maxCredits: 3 });
  const context = testContext({ width: 80 });
  const invocation = invocationOf({ service, plan: true, format: 'table' });
  const output = createOutput({ context, format: 'table', fields: undefined, notes: invocation.notes, color: false });
  await runExport(
    { ...invocation, context: { ...invocation.context, stdout: context.stdout }, output },
    { directory: dir, outcomes: true },
  );
  expect(context.stdout.text).toContain('36 (24 more are not due yet)');
  expect(context.stdout.text).toContain('37 if no new card has come, 147 at most');
});
