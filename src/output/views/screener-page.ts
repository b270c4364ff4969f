/** One screener's own page: its settings and their changes, its cards, figures, and what its keys tell. */
import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { Tuning } from '../../outcomes/tune-types.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';
import { type LocalScreener, localScreenersView, silentWords } from './local-screeners.ts';
import { MEDIAN_MOVE, type SettingsHistory, settingsSection } from './settings-history.ts';
import { cutsText } from './tune.ts';

export interface ScreenerPage {
  /** Of one type: several may share it. */
  readonly screeners: readonly LocalScreener[];
  readonly history: SettingsHistory;
  readonly tuning: Tuning;
  readonly inFull: readonly string[];
}

/** Its line of the list of screeners, or one for each of its settings; and what that list leaves out. */
export function screenerPage({ screeners, history, tuning, inFull }: ScreenerPage): View<object> {
  const { columns = [], fields } = localScreenersView;
  const questions = tuning.questions.filter(({ horizon }) => horizon === MAIN_HORIZON);
  return {
    fields,
    page: (_, render) => {
      const { paragraph, styles } = render;
      const [first] = screeners;
      if (first === undefined) return '';
      const now = { title: `${safeText(first.type)}, with ${MEDIAN_MOVE}`, body: render.table(columns, screeners) };
      const none = paragraph('No bought card has numbers at the trigger.', styles.dim);
      return render.sections([
        history.changes.length === 0 ? now : settingsSection({ type: first.type, ...history }, render),
        { body: [...silentWords(screeners), companyWords(first)].map((text) => paragraph(text)).join('\n') },
        {
          title: 'Numbers at the trigger',
          body: questions.length === 0 ? none : cutsText(questions, { cuts: tuning.cuts, asSetNow: undefined }, render),
        },
        { body: ['In full:', ...inFull.map((line) => `  ${line}`)].join('\n') },
      ]);
    },
  };
}

function companyWords({ repeats_per_day: repeats, overlaps_per_day: overlaps }: LocalScreener): string {
  return `Overlap: ${repeats.toFixed(1)} cards a day repeat a symbol within the hour; ${overlaps.toFixed(1)} a day coincide with another type.`;
}
