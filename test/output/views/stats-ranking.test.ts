/** What a line of the ranking has room for: the name and the verdict always, the picture before more figures. */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures.ts';

const GROUPS = ['oi_growth', 'volume_burst', 'price_spike*', 'breakout', 'funding_extreme'];

const RANKING = ['--demo', 'stats', '--local', '--by', 'type', '--no-pager', '--no-color'];

/** The table's lines, its header first. */
function tableIn(page: string): string[] {
  const lines = page.split('\n');
  const first = lines.findIndex((line) => line.startsWith('TYPE'));
  return lines.slice(first, first + 1 + GROUPS.length);
}

describe('a ranking', () => {
  it.for([
    { columns: 60, more: [] },
    { columns: 80, more: [] },
    { columns: 99, more: [] },
    { columns: 100, more: ['30 D, WAS'] },
    { columns: 120, more: ['95 % INTERVAL', '30 D, WAS'] },
    { columns: 140, more: ['95 % INTERVAL', '30 D, WAS'] },
  ])('in $columns columns has $more', async ({ columns, more }, { here }) => {
    const { stdout } = await here(RANKING, { tty: columns });
    const [header = '', ...lines] = tableIn(stdout);
    const names = ['95 % INTERVAL', 'BEAT BTC', '30 D, WAS'];
    expect(names.filter((name) => header.includes(name))).toEqual(more);
    expect(header).toContain('VERDICT');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(GROUPS);
    for (const line of lines) {
      expect(line.length, `columns of '${line}'`).toBeLessThanOrEqual(columns);
      expect(line, line).toMatch(/(above|below|under 1 pp|unclear)/);
      if (columns >= 80) expect(line, line).toMatch(/━*●/);
    }
  });

  it('says the share that beat BTC where the line is of what was bought, and nowhere else', async ({
    here,
  }) => {
    const ofService = await here(RANKING, { tty: 120 });
    expect(ofService.stdout).not.toContain('BEAT BTC');
    const ofBought = await here([...RANKING.slice(0, -3), 'symbol', '--no-color'], { tty: 120 });
    expect(ofBought.stdout).toMatch(/^SYMBOL .* BEAT BTC .*\n.* \d\d\.\d% /m);
  });

  it('says the last 30 days of what is above or below beside the time before, as JSON has them', async ({
    here,
  }) => {
    const { stdout } = await here(RANKING, { tty: 120 });
    const json = JSON.parse((await here([...RANKING, '--json'])).stdout);
    for (const { group, horizons } of json.items) {
      const { last_30_days: last, before, shown_verdict: word } = horizons['24h'];
      const line = tableIn(stdout).find((one) => one.startsWith(group));
      const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)}`;
      const said =
        last === null || !['above_others', 'below_others'].includes(word)
          ? '–'
          : `${signed(last.percentage_points)}, ${signed(before.percentage_points)}`;
      expect(line).toContain(` ${said}  `);
    }
  });

  it('says on the line of a type what its last change of settings did', async ({ here }) => {
    const lines = tableIn((await here(RANKING, { tty: 80 })).stdout);
    const changed = lines.filter((line) => line.includes('change'));
    expect(changed).toEqual([expect.stringMatching(/^price_spike\*.* unclear; change helped$/)]);
    const ownQuestion = await here([...RANKING, '--least', '2'], { tty: 80 });
    expect(ownQuestion.stdout).not.toContain('change helped');
  });
});
