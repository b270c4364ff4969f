/** A damaged `export.json` is made again from the files beside it: cards and outcomes are there, and are not paid twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cron, startCron } from './cron.ts';
import { cardsAnHourApart, DAY, HOUR, NOW } from './support.ts';

/** Two daily exports of an account with thirty cards. */
async function historyOfTwoDays() {
  const details = cardsAnHourApart(30);
  const cron = await startCron({ details, start: NOW });
  for (let day = 0; day < 2; day += 1) {
    expect((await cron.export()).code).toBe(0);
    await cron.clock.sleep(DAY);
  }
  return { cron, details };
}

const pathOf = ({ dir }: Cron) => join(dir, 'export.json');

describe('export.json', () => {
  it.each([
    { what: 'is empty', damage: () => '' },
    { what: 'is cut off in its first line', damage: (text: string) => text.slice(0, 5) },
    { what: 'is cut off after the account', damage: (text: string) => text.slice(0, 120) },
    { what: 'is cut off in the middle', damage: (text: string) => text.slice(0, text.length / 2) },
    { what: 'lacks its end', damage: (text: string) => text.slice(0, -3) },
    { what: 'is no JSON', damage: () => '\u0000'.repeat(500) },
    {
      what: 'has a field of another kind',
      damage: (text: string) => text.replace(/"gaps": /, '"gaps": 1, "x": '),
    },
  ])('that $what is made again', async ({ damage }) => {
    const { cron, details } = await historyOfTwoDays();
    const text = damage(readFileSync(pathOf(cron), 'utf8'));
    writeFileSync(pathOf(cron), text);
    const check = await cron.command('signals', 'export', '--check');
    expect(check.code).not.toBe(0);
    expect(check.stderr).toContain(
      'The next `screener signals export` into this directory makes it again',
    );
    const { code, stderr } = await cron.export();
    expect(code).toBe(0);
    expect(stderr.match(/export\.json was damaged/g)).toHaveLength(1);
    expect(stderr).not.toContain('This first export');
    expect(stderr).toContain('Complete.');
    expect(readFileSync(`${pathOf(cron)}.damaged`, 'utf8')).toBe(text);
    expect((await cron.command('signals', 'export', '--check')).code).toBe(0);
    expect(cron.cards()).toHaveLength(details.length);
    expect(cron.manifest()).toMatchObject({ complete: true, counts: { due: 30, bought: 30 } });
    const due = details.filter(({ created_at }) => Date.parse(created_at) < NOW + DAY + HOUR);
    expect([...cron.bought().values()]).toEqual(due.map(() => 1));
    await cron.clock.sleep(DAY);
    expect((await cron.export()).stderr).not.toContain('damaged');
  });

  it('of another account is refused, also where it is damaged', async () => {
    const { cron } = await historyOfTwoDays();
    const text = readFileSync(pathOf(cron), 'utf8');
    const other = text.replace(/("account": ")[^"]+/, '$1of-another').slice(0, 200);
    writeFileSync(pathOf(cron), other);
    const { code, stderr, requests } = await cron.export();
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('holds the history of another account');
    expect(readFileSync(pathOf(cron), 'utf8')).toBe(other);
    expect((await cron.export('--adopt')).code).toBe(0);
    expect(Math.max(...cron.bought().values())).toBe(1);
  });

  it('of another version of the program is left alone', async () => {
    const { cron } = await historyOfTwoDays();
    const text = readFileSync(pathOf(cron), 'utf8').replace('"version": 1', '"version": 2');
    writeFileSync(pathOf(cron), text);
    const { code, stderr, requests } = await cron.export();
    expect(code).toBe(1);
    expect(requests).toEqual([]);
    expect(stderr).toContain('is of another version of screener (2)');
    expect(readFileSync(pathOf(cron), 'utf8')).toBe(text);
  });

  it('that is damaged beside the journal of a killed run loses nothing of it', async () => {
    const { cron, details } = await historyOfTwoDays();
    // As a run leaves it that is killed after its pages.
    const { spans, gaps, look, begins_at } = cron.manifest();
    const entry = { kind: 'page', items: [], coverage: { spans, gaps, look, begins_at } };
    writeFileSync(join(cron.dir, '.journal.ndjson'), `${JSON.stringify(entry)}\n`);
    writeFileSync(pathOf(cron), '');
    const { code, requests } = await cron.export();
    expect(code).toBe(0);
    expect(
      requests.filter(({ operation }) => operation === 'signals').length,
      'pages of the list',
    ).toBeLessThan(5);
    expect(cron.cards()).toHaveLength(details.length);
    expect(Math.max(...cron.bought().values())).toBe(1);
  });
});
