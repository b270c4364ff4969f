/** What earlier programs wrote is read, or left out: it never ends a history, and nothing in it is paid for twice. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cron, livedOnce } from './cron.ts';
import { bare, cardOf, cardsAnHourApart, DAY, NOW } from './support.ts';

const OTHERS = cardsAnHourApart(29);
/** Its outcome is due a day after the others. */
const CARD = cardOf(30, 0);
const AT = '2026-11-20T18:00:00Z';
const SPAN = { since: '2026-11-01T00:00:00Z', until: AT };

/** A history of one day, without its newest card. */
const begun = livedOnce(async (start) => {
  const cron = await start({ details: OTHERS, start: NOW });
  expect((await cron.export()).code).toBe(0);
  await cron.clock.sleep(DAY);
  cron.details = [CARD, ...OTHERS];
  return cron;
});

/** Exports until all is there. @returns what the runs said */
async function exportAll(cron: Cron): Promise<string> {
  let said = '';
  for (let run = 0; run < 2; run += 1) {
    const { code, stderr } = await cron.export();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    said += stderr;
    await cron.clock.sleep(DAY);
  }
  expect(cron.cards()).toHaveLength(OTHERS.length + 1);
  expect([...cron.bought().values()].every((times) => times === 1)).toBe(true);
  return said;
}

describe('the journal', () => {
  it.each<[string, unknown]>([
    ['settings', { kind: 'others', screeners_at: AT }],
    ['a card that is gone', { kind: 'gone', id: 3, created_at: AT }],
    ['a failed card', { kind: 'failed', id: 3, created_at: AT, asked: 5 }],
    ['mended months', { kind: 'mended', months: ['2026-11'], coverage: { spans: [SPAN] } }],
    ['a look at settings', { kind: 'screeners', at: AT }],
    ['a failed look', { kind: 'screeners-failed', at: AT }],
    ['a failed median', { kind: 'stats-failed', type: 'pump', at: AT }],
    ['a page', { kind: 'page', items: [bare(CARD)], coverage: { covered: SPAN, gaps: 5 } }],
    ['a detail', { kind: 'detail', detail: CARD, asked: { count: 1 } }],
    ['a number', 5],
    ['nothing', null],
  ])('of a killed run of another version: %s', async (_, line) => {
    const cron = begun();
    const path = join(cron.dir, '.journal.ndjson');
    writeFileSync(path, `${JSON.stringify(line)}\n`);
    appendFileSync(path, `${JSON.stringify({ kind: 'settings', screeners_at: AT })}\n`);
    const local = await cron.command('signals', 'ls', '--local', '--json');
    expect(local).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('line 1 is of another'),
    });
    const said = await exportAll(cron);
    expect(said.split('is of another version of screener')).toHaveLength(2);
    const isPaidFor = JSON.stringify(line).includes('"detail":');
    expect(cron.bought().has(CARD.id)).toBe(!isPaidFor);
  });
});

describe('export.json', () => {
  const day = { day: '2026-11-20', runs: 1, outcomes: 3, backlog: 0 };
  it.each([
    { what: 'days without settled outcomes and credits', fields: { days: [day] } },
    {
      what: 'gaps without times',
      fields: { gaps: [{ since: AT, until: '2026-11-20T18:01:00Z' }] },
    },
    { what: 'a list that one refusal ended', fields: { refuses_older: true, begins_at: AT } },
    { what: 'books of the second day', fields: { withdrawals: {}, effects: {}, gone: [3] } },
    { what: 'lost parts without their cards', fields: { lost: [SPAN] } },
    {
      what: 'a month that was listed again',
      fields: {
        months: {
          '2026-11': {
            cards: 29,
            awaiting: 0,
            missing: { last: AT, cards: 1, listed_again: { parts: [SPAN], cards: 3 } },
          },
        },
      },
    },
    { what: 'lateness by margins', fields: { lateness: { margin: 5, firsts: [], again: {} } } },
  ])('with $what', async ({ fields }) => {
    const cron = begun();
    const path = join(cron.dir, 'export.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, ...fields }));
    expect(await exportAll(cron)).not.toContain('was damaged');
  });
});
