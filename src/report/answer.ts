/** The report's finding, and its first part: which screener types are worth keeping. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { type Ending, ranked, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { baseNote, behindNote, betaNotes, latelyText } from '../output/views/verdict.ts';
import { isSide } from '../statistics/rule.ts';
import { forest } from './forest.ts';
import {
  between,
  facts,
  fixed,
  html,
  label,
  type Markup,
  note,
  percent,
  section,
  shareOf,
  signed,
} from './markup.ts';

/** Types as every screen has them, and what was tested together. */
export interface Judgements {
  readonly comparison: Comparison;
  readonly standings: readonly Standing[];
  /** Epoch milliseconds UTC. */
  readonly now: number;
}

const hasNoInterval = ({ base }: Standing): boolean => base.interval === null;

/** `pump beats`, `a and b beat`. */
function verb(standings: readonly Standing[], one: string, several: string): string {
  const names = new Intl.ListFormat('en-GB').format(standings.map(({ group }) => label(group)));
  return `${names} ${standings.length === 1 ? one : several}`;
}

/** The page's title: `pump beats your other cards by 2.3 points; dump falls behind`. */
export function findingOf(standings: readonly Standing[]): string {
  const inOrder = ranked(standings);
  const above = inOrder.filter(({ word }) => word === 'above');
  const below = inOrder.filter(({ word }) => word === 'below');
  const behind = below.length === 0 ? '' : verb(below, 'falls behind', 'fall behind');
  const [best] = above;
  const none = standings.every(hasNoInterval)
    ? 'Your screeners so far'
    : 'No screener type stands out yet';
  if (best === undefined) return behind === '' ? none : `${behind} your other cards`;
  const { to, base } = best;
  const points =
    above.length > 1 || base.median === null ? '' : ` by ${base.median.toFixed(1)} points`;
  const beats = `${verb(above, 'beats', 'beat')} ${to === 'btc' ? 'BTC' : 'your other cards'}${points}`;
  return behind === '' ? beats : `${beats}; ${behind}`;
}

const ENDINGS: Readonly<Record<Ending, string>> = {
  stands: 'standing',
  reset: 'ended with a change of settings',
  withdrawn: 'withdrawn',
};

/**
 * @param differences to BTC after 24 h
 * @param settingsOf a type's conditions now, in words; empty if no look at them is kept
 */
export function answerSection(
  judgements: Judgements,
  differences: readonly Difference[],
  settingsOf: (type: string) => string,
  {
    days,
    rated,
    record,
  }: { readonly days: number; readonly rated: string; readonly record: readonly Ending[] },
): Markup {
  const shown = ranked(judgements.standings.filter(({ of }) => of !== null)).slice(0, 20);
  const isEarly = shown.every(hasNoInterval);
  const byType = groupBy(differences, ({ card }) => card.type);
  const others = shown.some(({ to }) => to === 'others')
    ? 'your other cards of the same day'
    : 'BTC';
  const ends = Object.entries(ENDINGS).flatMap(([name, text]) => {
    const count = record.filter((one) => one === name).length;
    return count === 0 ? [] : `${count} ${text}`;
  });
  return section(
    'answer',
    isEarly ? 'Cards and settings' : 'Which screener types are worth keeping',
    isEarly
      ? `Cards of the last ${days} days.`
      : html`Median difference to ${others} after 24 h, in percentage points: <b class="above">above</b>, <b class="below">below</b>, or grey: no clear difference.`,
    forest(shown, (one) => aboutType(one, byType.get(one.group) ?? [], settingsOf(one.group))),
    note(
      `Cards a day: ${rated}, not before the settings changed.`,
      baseNote(shown, 'Outcomes and differences'),
      betaNotes(shown).join(' '),
      record.length > 0 &&
        `Verdicts above or below found in these ${days} days: ${ends.join('; ')}.`,
      behindNote(shown, 'type'),
    ),
  );
}

function aboutType(standing: Standing, own: readonly Difference[], settings: string): Markup {
  const { of, figures, word, to, wordSince, base, silentDays, rate, lately } = standing;
  const ahead = own.filter(({ value }) => value > 0).length;
  const { interval } = base;
  // Beside "under 1 pp" the median of fewer cards would look like a doubt.
  const later = isSide(word) ? (figures?.since_then ?? null) : null;
  const set = of?.settings_since ? `, since ${dayAndMonth(Date.parse(of.settings_since))}` : '';
  // Beside the difference to BTC, it is not said again.
  const vsBtc =
    (interval === null || to !== 'btc') && base.vsBtc !== null && `${signed(base.vsBtc)} vs BTC`;
  return html`<div class="btc">${vsBtc}</div>
<div class="size">${silentDays === undefined ? `${fixed(rate.now ?? 0)} a day` : 'silent'} ${base.sample > 0 && html`<span class="range">${pluralize(base.sample, 'outcome')}</span>`}</div>
${facts([
  settings !== '' && ['Settings now', `${settings}${set}`],
  interval !== null &&
    own.length > 0 && ['Bought', `${shareOf(ahead, own.length)} outcomes beat BTC`],
  lately !== undefined && ['Lately', latelyText(lately)],
  later !== null &&
    wordSince !== undefined && [
      `Since ${dayAndMonth(wordSince)}`,
      `${signed(later.difference_percentage_points)} (${between(later.interval_95, '')}), ${pluralize(later.cards, 'bought outcome')}`,
    ],
  ...(of?.coincides_with ?? []).map(
    (one) =>
      ['Overlap', `${percent(one.share)} of its cards coincide with ${label(one.group)}`] as const,
  ),
])}`;
}
