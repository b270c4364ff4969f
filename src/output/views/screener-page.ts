/** One screener's own page: its settings and their changes, its cards, figures, and what its keys tell. */
import type { Tuning } from '../../outcomes/tune-types.ts';
import { percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Pair, RenderContext, View } from '../types.ts';
import { type LocalScreener, localScreenersView, silence } from './local-screeners.ts';
import { conditionsText } from './screeners.ts';
import { type SettingsChangeFigures, type SettingsGroup, settingsHistoryText } from './settings-history.ts';
import { cutName, cutsOf, findingSentences, isClear, keyName, noneTells, rangeText } from './tune-words.ts';
import { vsBtc, vsOthers } from './verdict.ts';

export interface ScreenerPage {
  /** Of one type: several may share it. */
  readonly screeners: readonly LocalScreener[];
  readonly history: { readonly groups: readonly SettingsGroup[]; readonly changes: readonly SettingsChangeFigures[] };
  readonly tuning: Tuning;
  /** The command lines that show more. */
  readonly inFull: readonly string[];
}

export function screenerPage(page: ScreenerPage): View<object> {
  return {
    fields: localScreenersView.fields,
    page: (_, render) => {
      const [first] = page.screeners;
      if (first === undefined) return '';
      const { groups, changes } = page.history;
      return render.sections([
        { title: safeText(first.type), body: render.pairs(pairsOf(page, first, render)) },
        {
          title: "Settings, and the move minus BTC's after 24h",
          body: changes.length === 0 ? '' : settingsHistoryText(groups, changes, '24h', render),
        },
        { title: 'What was known at the trigger', body: tuneText(page.tuning, render) },
        { body: ['In full:', ...page.inFull.map((line) => `  ${line}`)].join('\n') },
      ]);
    },
  };
}

function pairsOf({ screeners, history }: ScreenerPage, first: LocalScreener, { styles }: RenderContext): Pair[] {
  const day = first.horizons['24h'];
  const cards = `${day?.btc_sample ?? 0} cards${first.figures_since === null ? '' : ' since the settings changed'}`;
  const settings = screeners.map(({ active, conditions }): Pair => {
    const text = conditions === null ? 'never looked at' : conditionsText(conditions) || 'none';
    return ['Settings', `${active === false ? 'off; ' : ''}${text}`];
  });
  return [
    ['Vs BTC', `${percentagePoints(day?.median_vs_btc_percentage_points ?? null)}: ${vsBtc(day, styles)}`],
    ['Vs others', `${percentagePoints(day?.median_vs_others_percentage_points ?? null)}: ${vsOthers(day, styles)}`],
    ['Medians of', `the moves after 24 h of ${cards}; others: your other cards of the same day`],
    [
      'Cards a day',
      `${first.cards_per_day.toFixed(1)}; ${first.repeats_per_day.toFixed(1)} come within an hour of the symbol's last card, ${first.overlaps_per_day.toFixed(1)} of another type's`,
    ],
    ...(first.silent ? [['Silent', styles.warn(`${silence(first)}, though it is switched on`)] as const] : []),
    // Where they have changed, the table has them.
    ...(history.changes.length > 0 ? [] : [...settings, ['Changed', 'no look has seen them change'] as const]),
  ];
}

function tuneText({ questions, cuts }: Tuning, { paragraph, styles }: RenderContext): string {
  const ofDay = questions.filter(({ horizon }) => horizon === '24h');
  if (ofDay.length === 0) return paragraph('No bought card has an entry context.', styles.dim);
  const none = noneTells(ofDay);
  if (none !== undefined) return paragraph(none);
  const told = ofDay.filter(isClear).flatMap((question) =>
    cutsOf(question, cuts).flatMap((cut) => {
      const interval = cut.kept_vs_dropped_interval;
      // What may as well be nothing is left to the command that shows it in full.
      if (interval === null || interval.low * interval.high <= 0) return [];
      return `${keyName(question)} ${cutName(cut)}: expect ${percentagePoints(cut.kept_vs_dropped)} (${rangeText(interval)}) beside the cards you would drop.`;
    }),
  );
  return [...findingSentences(ofDay, '24h'), ...told].map((text) => paragraph(text)).join('\n');
}
