/** The page's title is what to do, else what was found. */
import { describe, expect, it } from 'vitest';
import type { Standing } from '../../src/outcomes/standing.ts';
import { actionsOf } from '../../src/output/views/actions.ts';
import type { SettingsHistory } from '../../src/output/views/settings-history.ts';
import { titleOf } from '../../src/report/title.ts';
import { inDoubt, judged } from '../support/standing.ts';

function changed(type: string, seen_by: string, verdict: string, difference: number | null) {
  const horizons = { '24h': { verdict, difference_percentage_points: difference } };
  return { type, changes: [{ seen_by, horizons }] } as unknown as SettingsHistory;
}

/** The title of a page with these types. */
function titleWith(
  standings: readonly Standing[],
  histories: readonly SettingsHistory[] = [],
  asOf = '',
): string {
  const actions = actionsOf(standings, { suggestions: [], areSettingsSearched: true });
  return titleOf(standings, histories, { actions, asOf });
}

const above = (name: string, more: Partial<Standing> = {}) =>
  judged(name, 'above', { verdictVsBtc: 'above', ...more });
/** Below both: a type to drop. */
const below = (name: string) => judged(name, 'below', { verdictVsBtc: 'below' });
/** Below the other cards alone. */
const spare = (name: string) => judged(name, 'below');
const change: NonNullable<Standing['change']> = {
  changedAt: Date.UTC(2026, 8, 19, 6),
  verdict: 'higher',
  isNewlyFound: true,
  keptUntil: undefined,
};

describe('the title', () => {
  it.each([
    {
      name: 'is the decision',
      standings: [above('momentum_break'), judged('flip', 'small'), below('oi_surge')],
      title: 'Drop oi_surge, keep momentum_break',
    },
    {
      name: 'says that the only type that is above may have stopped working',
      standings: [above('momentum_break', inDoubt(0, 2)), judged('flip', 'small')],
      title: 'momentum_break may have stopped working',
    },
    {
      name: 'says that one of two types that are above may have stopped working',
      standings: [above('a', inDoubt(0, 2)), above('b'), judged('flip', 'small')],
      title: 'Keep b; a may have stopped working',
    },
    {
      name: 'names several types',
      standings: [above('a'), above('b'), below('c'), below('d')],
      title: 'Drop c and d, keep a and b',
    },
    {
      name: 'counts types to keep whose names do not fit into a line',
      standings: [
        above('momentum_break'),
        above('breakout_retest'),
        below('funding_extreme'),
        below('oi_surge'),
      ],
      title: 'Drop funding_extreme and oi_surge, keep 2 types',
    },
    {
      name: 'counts those to drop, too, if they fill it alone',
      standings: [
        above('a'),
        ...['liquidation_cascade', 'momentum_break', 'breakout_retest'].map(below),
      ],
      title: 'Drop 3 types, keep 1 type',
    },
    { name: 'is what to drop alone', standings: [below('c')], title: 'Drop c' },
    {
      name: 'says that nothing is to be dropped yet, also beside a type that is below one alone',
      standings: [above('momentum_break'), spare('oi_surge')],
      title: 'Keep momentum_break; nothing to drop yet',
    },
    {
      name: 'says that the change of the type to keep helped',
      standings: [above('breakout', { change }), spare('c')],
      title: 'Keep breakout; its change helped',
    },
    {
      name: 'says nothing of a change that did not help',
      standings: [
        above('breakout', {
          change: { ...change, verdict: 'unclear' },
        }),
      ],
      title: 'Keep breakout; nothing to drop yet',
    },
    {
      name: 'leaves out the rest if the line is full',
      standings: [above('momentum_break'), above('liquidation_spike')],
      title: 'Keep momentum_break and liquidation_spike',
    },
    {
      name: 'leaves room for the day of an old page',
      standings: [above('momentum_break')],
      asOf: 'As of 8 Oct: ',
      title: 'As of 8 Oct: Keep momentum_break',
    },
    {
      name: 'names BTC where there are no others',
      standings: [judged('a', 'above', { comparedWith: 'btc', verdictVsBtc: 'above' })],
      title: 'Keep a; nothing to drop yet',
    },
    {
      name: 'raises no alarm about types that are below, but kept',
      standings: [spare('c'), spare('d')],
      title: 'Nothing to drop yet',
    },
    {
      name: 'never says of a type that may have stopped working that it beats others',
      standings: [above('a', { lessLately: {} as Standing['lessLately'] }), spare('d')],
      title: 'a may have stopped working',
    },
    {
      name: 'says that nothing stands out',
      standings: [judged('a', 'small'), judged('b', 'unclear')],
      title: 'No screener type stands out yet',
    },
    {
      name: 'knows that all are small',
      standings: [judged('a', 'small'), judged('b', 'small')],
      title: 'No screener type differs by 1 pp or more from your other cards',
    },
    {
      name: 'claims nothing of a type of too few days',
      standings: [judged('a', 'small'), judged('b', 'too_few_days')],
      title: 'No screener type stands out yet',
    },
    {
      name: 'claims nothing of a type of which nothing is measured',
      standings: [judged('a', 'small'), judged('b', null)],
      title: 'No screener type stands out yet',
    },
    {
      name: 'claims nothing vs BTC of types that are compared with others',
      standings: [judged('a', 'small', { comparedWith: 'btc' }), judged('b', 'small')],
      title: 'No screener type stands out yet',
    },
    { name: 'is plain before any day is measured', standings: [], title: 'Your screeners so far' },
  ])('$name', ({ standings, asOf, title }) => {
    expect(titleWith(standings, [], asOf)).toBe(title);
  });

  it('names types that are below where the page does not say what to do', () => {
    const standings = [above('a'), spare('d')];
    expect(titleOf(standings, [], { actions: undefined, asOf: '' })).toBe(
      'a beats your other cards; d is below them',
    );
  });

  it('names the newest change that did anything, if no type is above or below', () => {
    const none = [judged('a', 'unclear')];
    const histories = [
      changed('a', '2026-10-14T06:00:00Z', 'higher', 1.63),
      changed('b', '2026-10-20T06:00:00Z', 'lower', -0.84),
      changed('c', '2026-11-01T06:00:00Z', 'unclear', 0.1),
    ];
    expect({
      none: titleWith(none, histories),
      helped: titleWith(none, histories.slice(0, 1)),
      unclear: titleWith(none, histories.slice(2, 3)),
      beside: titleWith([below('d')], histories),
    }).toEqual({
      none: 'Your change of b on 20 Oct hurt',
      helped: 'Your change of a on 14 Oct helped',
      unclear: 'No screener type stands out yet',
      beside: 'Drop d',
    });
  });
});
