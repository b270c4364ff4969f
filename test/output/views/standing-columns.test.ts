/** Figures of a standing: each is told once a page. */
import { expect, it } from 'vitest';
import type { GroupFigures } from '../../../src/outcomes/figure-table.ts';
import type { Base, Standing } from '../../../src/outcomes/standing.ts';
import { pageOfType } from '../../../src/output/views/local-screeners.ts';
import { resultWithoutNumbers } from '../../../src/output/views/tune-results.ts';
import { standing, sure } from '../../support/standing.ts';
import { outputTo } from '../written.ts';

const interval = { low: 0.17, high: 1.54 };

it.each<{
  what: string;
  base: Partial<Base>;
  more?: Partial<Standing>;
  told: string;
  why: boolean;
}>([
  {
    what: 'unclear by the 99.7 % interval alone',
    base: { interval, sureInterval: { low: -1.23, high: 2.49 } },
    told: '(95 %: +0.17 to +1.54)',
    why: true,
  },
  {
    what: 'unclear by both',
    base: { interval: { low: -0.1, high: 1.54 }, sureInterval: { low: -1.23, high: 2.49 } },
    told: '(95 %: -0.10 to +1.54)',
    why: false,
  },
  {
    what: 'above',
    base: { interval, sureInterval: { low: 0.11, high: 2.49 } },
    more: { verdict: 'above', toDo: 'keep' },
    told: '(95 %: +0.17 to +1.54)',
    why: false,
  },
])(
  'the page of a type that is $what tells what a verdict needs: $why',
  async ({ base, more, told, why }) => {
    const figures = { median_vs_btc_interval_95: null } as Standing['figures'];
    const type = standing('pump', {
      base: { ...sure, vsOthers: 0.88, ...base },
      figures,
      wouldShow: 2,
      ...more,
    });
    const page = {
      screeners: [{ type: 'pump', active: true, conditions: null }],
      rateDays: 'in the last 28 days',
      history: { changes: [], sides: [], silence: '' },
      tuning: { questions: [], cuts: [] },
      allTypes: { standings: [type], caveats: '' },
      moreCommands: [],
    } as unknown as Parameters<typeof pageOfType>[0];
    const { context, output } = outputTo('table');
    await output.page((render) => pageOfType(page, render));
    const { text } = context.stdout;
    expect(text).toContain(`vs others          +0.88 pp after 24 h ${told}\n`);
    expect(text.match(/99\.7 %/g) ?? []).toHaveLength(why ? 1 : 0);
  },
);

it.each([
  { source: 'service', told: '+1.74 pp after 24 h (no interval)' },
  { source: 'bought', told: '+1.74 pp after 24 h; too few days' },
] as const)(
  'the page says "too few days" of a figure vs BTC only if that is from these days: $source',
  async ({ source, told }) => {
    const figures = { median_vs_btc_interval_95: null } as Standing['figures'];
    const base: Base = { ...sure, source, vsBtc: 1.74 };
    const type = standing('pump', { base, figures, verdictVsBtc: 'too_few_days' });
    const page = {
      screeners: [{ type: 'pump', active: true, conditions: null }],
      rateDays: 'in the last 28 days',
      history: { changes: [], sides: [], silence: '' },
      tuning: { questions: [], cuts: [] },
      allTypes: { standings: [type], caveats: '' },
      moreCommands: [],
    } as unknown as Parameters<typeof pageOfType>[0];
    const { context, output } = outputTo('table');
    await output.page((render) => pageOfType(page, render));
    expect(/^vs BTC +(.*)$/m.exec(context.stdout.text)?.[1]).toBe(told);
  },
);

it('says of changed settings without an outcome that older outcomes do not count', () => {
  const figuresOf = (settings_since: string | null) =>
    ({ group: 'pump', bought: 0, settings_since }) as GroupFigures;
  const ofSettings = [null, '2026-09-10T06:00:00Z'].map(figuresOf);
  expect(ofSettings.map(resultWithoutNumbers)).toEqual([
    'no outcome bought yet',
    'no outcome bought yet since its settings changed on 10 Sep (older ones do not count)',
  ]);
});
