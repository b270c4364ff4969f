import type { SignalCard } from '../../api/contract/resources.ts';
import { decidingOf, isAbove, isBelow } from '../../outcomes/deciding.ts';
import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { LEAST } from '../../outcomes/verdict.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { dayAndMonth, NONE, percentagePoints, points } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

/** What is said of a group; the report says the same. */
export const VERDICT_WORDS: Readonly<Record<ShownVerdict, string>> = {
  above_btc: 'above BTC',
  below_btc: 'below BTC',
  above_others: 'above',
  below_others: 'below',
  none: 'no difference',
  unclear: 'unclear',
  too_few_days: 'too few days',
};

/** Colours only what has a verdict: an unclear difference has a sign, too. */
export function verdictTint(verdict: ShownVerdict | null | undefined, styles: Styles): (text: string) => string {
  if (isAbove(verdict ?? null)) return styles.good;
  return isBelow(verdict ?? null) ? styles.bad : styles.dim;
}

type Verdict = Pick<
  HorizonFigures,
  'shown_verdict' | 'verdict_since' | 'days_until_least_shows' | 'weak' | 'cards_of_btc'
>;

/**
 * `above since 24 Sep`, `no difference of 1`, `unclear, ~3 months`.
 * @param least the smallest difference that matters, percentage points; absent where it is said elsewhere
 * @param to what it is compared with, in words; absent where it is said elsewhere
 */
export function verdictText(figures: Verdict, least?: number, to = ''): string {
  const { shown_verdict: verdict, days_until_least_shows: days } = figures;
  if (verdict === null) return figures.cards_of_btc > 0 ? 'BTC itself' : NONE;
  const word = VERDICT_WORDS[verdict];
  const weak = figures.weak ? ' (weak)' : '';
  if (verdict === 'too_few_days') return word;
  if (verdict === 'unclear') return `${word}${to && ` against ${to}`}${days === null ? '' : `, ${timeToCome(days)}`}`;
  if (verdict === 'none') {
    const size = least === undefined ? '' : ` of ${least}`;
    return `${word}${size}${to && ` pp to ${to}${sinceText(figures)}`}${weak}`;
  }
  return `${word}${to && !verdict.endsWith('_btc') ? ` ${to}` : ''}${sinceText(figures)}${weak}`;
}

/** ` since 24 Sep`; empty if no verdict stands. */
export function sinceText({ verdict_since: since }: Pick<HorizonFigures, 'verdict_since'>): string {
  return since === null ? '' : ` since ${dayAndMonth(Date.parse(since))}`;
}

/** Coarse, as it is known: `~12 days`, `~3 months`. */
export function timeToCome(days: number): string {
  if (days < 21) return `~${pluralize(Math.max(1, Math.round(days)), 'day')}`;
  if (days < 60) return `~${pluralize(Math.round(days / 7), 'week')}`;
  return days <= 365 ? `~${pluralize(Math.round(days / 30.4), 'month')}` : 'over a year';
}

type Listed = Verdict &
  Pick<HorizonFigures, 'sample' | 'median_vs_btc_percentage_points' | 'median_vs_others_percentage_points'>;

/** N, both differences and the verdict of a line of a list. @param least see `verdictText` */
export function differenceColumns<T>(of: (row: T) => Listed | null, least = LEAST) {
  const tinted = (row: T, styles: Styles, text: (figures: Listed) => string) => {
    const figures = of(row);
    return verdictTint(figures?.shown_verdict, styles)(figures === null ? NONE : text(figures));
  };
  return {
    size: figureColumn<T>('N', 3, (row) => String(of(row)?.sample ?? 0)),
    vsBtc: figureColumn<T>('VS BTC', 2, (row) => points(of(row)?.median_vs_btc_percentage_points)),
    vsOthers: figureColumn<T>('VS OTHERS', 1, (row, { styles }) =>
      tinted(row, styles, (figures) => points(figures.median_vs_others_percentage_points)),
    ),
    verdict: textColumn<T>('VERDICT', 0, (row, { styles }) =>
      tinted(row, styles, (figures) => verdictText(figures, least)),
    ),
  } satisfies Record<string, Column<T>>;
}

/** A group by its name, made safe. */
export interface Judged {
  readonly name: string;
  readonly figures: Verdict | null;
}

export const isTooEarly = ({ figures }: Judged): boolean =>
  figures?.shown_verdict == null || figures.shown_verdict === 'too_few_days';

/** What to keep, what is behind, and when the rest may be known. @param by what the groups are */
export function closingSentence(groups: readonly Judged[], by: string): string {
  if (groups.every(isTooEarly)) {
    return 'No verdict yet: `screener signals export` goes on buying the outcomes that are due.';
  }
  const those = (isMeant: (verdict: ShownVerdict | null) => boolean) =>
    groups.filter(({ figures }) => isMeant(figures?.shown_verdict ?? null));
  const [above, below, unclear] = [those(isAbove), those(isBelow), those((verdict) => verdict === 'unclear')];
  const isOfTypes = by === 'type';
  const said: readonly (readonly [string, readonly Judged[]])[] = [
    [isOfTypes ? 'Worth keeping' : 'Above', above],
    [isOfTypes ? 'Behind your other cards' : 'Below', below],
    ['No difference', isOfTypes ? those((verdict) => verdict === 'none') : []],
    [`Unclear${by === 'month' ? '' : waitOf(unclear)}`, unclear],
  ];
  const named = said.flatMap(([words, its]) => (its.length === 0 ? [] : [`${words}: ${namesOf(its, by)}.`]));
  return [...(above.length + below.length === 0 ? ['None stands out yet.'] : []), ...named].join(' ');
}

/** More of them are counted. */
const MOST_NAMES = 3;

function namesOf(groups: readonly Judged[], by: string): string {
  return groups.length > MOST_NAMES ? `${groups.length} ${by}s` : groups.map(({ name }) => name).join(', ');
}

/** Of the one that shows first. */
function waitOf(unclear: readonly Judged[]): string {
  const waits = unclear.flatMap(({ figures }) => figures?.days_until_least_shows ?? []);
  if (waits.length === 0) return '';
  const soonest = timeToCome(Math.min(...waits));
  return soonest === 'over a year' ? ' for over a year' : ` for ${soonest} or more`;
}

/**
 * `oi_growth on SOLUSDT: 12 outcomes, +0.80 pp against your other cards. On all symbols: 364, +2.31 pp, above since 21 Sep.`
 * @param all of the card's type; `here`: of it on the card's symbol
 */
export function recordSentence(card: SignalCard, all: HorizonFigures, here: HorizonFigures | undefined): string {
  const { to, median } = decidingOf(all);
  const onSymbol = here === undefined ? null : decidingOf(here).median;
  const name = `${safeText(card.source_bot_type)} on ${safeText(card.source_symbol)}`;
  const against = to === 'others' ? 'your other cards' : "BTC's move";
  const first = onSymbol === null ? '' : `, ${percentagePoints(onSymbol)} against ${against}`;
  const rest = median === null ? '' : `, ${percentagePoints(median)}${first === '' ? ` against ${against}` : ''}`;
  return `${name}: ${pluralize(here?.sample ?? 0, 'outcome')}${first}. On all symbols: ${all.sample}${rest}, ${verdictText(all)}.`;
}
