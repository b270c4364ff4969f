import type { HorizonName } from '../api/contract/horizons.ts';
import type { GroupFigures, HorizonFigures } from './figure-table.ts';
import type { ShownVerdict } from './types.ts';

export type Deciding = Readonly<ReturnType<typeof decidingOf>>;

/** The comparison that decides, percentage points: with the other cards of the day, or with BTC where there are none. */
export function decidingOf(figures: HorizonFigures) {
  const { shown_verdict: verdict, others_sample: others } = figures;
  const isToOthers = verdict?.endsWith('_others') || (!verdict?.endsWith('_btc') && others);
  const to = isToOthers ? ('others' as const) : ('btc' as const);
  return {
    to,
    median: figures[`median_vs_${to}_percentage_points`],
    interval: figures[`median_vs_${to}_interval_95`],
    /** Widened for all groups. */
    widened: figures[`median_vs_${to}_interval_holm`],
    isTested: figures[`p_vs_${to}`] !== null,
    verdict,
  };
}

export const isAbove = (verdict?: ShownVerdict | null): boolean => verdict?.startsWith('above') === true;
export const isBelow = (verdict?: ShownVerdict | null): boolean => verdict?.startsWith('below') === true;

/** Verdicts come before differences, and names before those of few days: what chance put on top looks best. */
export function ranked(groups: readonly GroupFigures[], horizon: HorizonName): GroupFigures[] {
  const difference = ({ horizons: { [horizon]: figures } }: GroupFigures) => {
    const { interval, median } = decidingOf(figures);
    // What no screen shows puts nothing in order.
    return (interval === null ? figures.median_vs_btc_percentage_points : median) ?? Number.NEGATIVE_INFINITY;
  };
  const place = ({ horizons }: GroupFigures) => {
    const { shown_verdict: verdict } = horizons[horizon];
    if (isAbove(verdict)) return 0;
    if (isBelow(verdict)) return 2;
    return verdict === 'none' || verdict === 'unclear' ? 1 : verdict === 'too_few_days' ? 3 : 4;
  };
  const order = (a: GroupFigures, b: GroupFigures) =>
    place(a) < 3 ? Math.sign(difference(b) - difference(a)) : String(a.group).localeCompare(String(b.group), 'en');
  return [...groups].sort((a, b) => place(a) - place(b) || order(a, b) || 0);
}
