import { decidingOf, isAbove, isBelow } from '../../outcomes/deciding.ts';
import type { HorizonFigures } from '../../outcomes/figure-table.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/pluralize.ts';
import { LEAST } from '../../statistics/verdict.ts';
import { dayAndMonth, NONE, percentagePoints, points } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, Pair, RenderContext, Styles } from '../types.ts';
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
  if (isAbove(verdict)) return styles.good;
  return isBelow(verdict) ? styles.bad : styles.dim;
}

/**
 * `above since 24 Sep, weak`, `no difference (<1 pp)`, `unclear, ~3 months more`, `unclear, silent 21 days`.
 * @param least the smallest difference that matters, percentage points; absent where it is said elsewhere
 * @param silence see `Judged`; empty: nothing more comes
 */
export function verdictText(figures: HorizonFigures | null, least?: number, silence?: string): string {
  if (figures === null) return NONE;
  const { shown_verdict: verdict, days_until_least_shows: days, verdict_since: since } = figures;
  if (verdict === null) return isBtc(figures) ? 'BTC itself' : NONE;
  const word = VERDICT_WORDS[verdict];
  if (verdict === 'too_few_days') return word;
  if (verdict === 'unclear') {
    const wait = silence?.replace('no card for', 'silent') ?? (days === null ? '' : timeToCome(days, ' more'));
    return wait === '' ? word : `${word}, ${wait}`;
  }
  const weak = figures.weak ? ', weak' : '';
  // With both, a terminal has no room for a picture.
  if (verdict === 'none') return `${word}${weak || (least === undefined ? '' : ` (<${least} pp)`)}`;
  return `${word}${since === null ? '' : ` since ${dayAndMonth(Date.parse(since))}`}${weak}`;
}

const isBtc = (figures: HorizonFigures) => figures.cards_of_btc > 0 && figures.btc_sample === 0;

/** Coarse, as it is known: `~12 days more`, `over a year`. */
function timeToCome(days: number, more: string): string {
  if (days > 365) return 'over a year';
  if (days < 21) return `~${pluralize(Math.max(1, Math.round(days)), 'day')}${more}`;
  return `~${days < 60 ? pluralize(Math.round(days / 7), 'week') : pluralize(Math.round(days / 30.4), 'month')}${more}`;
}

/** N, both differences and the verdict of a line of a list. @param least see `verdictText` */
export function differenceColumns<T>(of: (row: T) => Omit<Judged, 'name'>, least = LEAST) {
  const tinted = (row: T, styles: Styles, text: string) => verdictTint(of(row).figures?.shown_verdict, styles)(text);
  // Without an interval it may be of a card or two, and that of the service of none that is here.
  const vsOthers = ({ figures }: Omit<Judged, 'name'>) =>
    figures?.sample && figures.median_vs_others_interval_95 ? figures.median_vs_others_percentage_points : null;
  return {
    size: figureColumn<T>('N', 3, (row) => String(of(row).figures?.sample ?? 0)),
    vsBtc: figureColumn<T>('VS BTC', 2, (row) => points(of(row).figures?.median_vs_btc_percentage_points)),
    vsOthers: figureColumn<T>('VS OTHERS', 1, (row, { styles }) => tinted(row, styles, points(vsOthers(of(row))))),
    verdict: textColumn<T>('VERDICT', 0, (row, { styles }) =>
      tinted(row, styles, verdictText(of(row).figures, least, of(row).silence)),
    ),
  } satisfies Record<string, Column<T>>;
}

/** Of types that are switched on and send no more. */
export interface Silences {
  /** `no card for 22 days`; undefined if it sends cards. */
  readonly silenceOf: (type: string) => string | undefined;
  /** Cards a day in the 28 days before the last one; 0 if it sends cards, or never did. */
  readonly rateBefore: (type: string) => number;
}

export const IF_SHORT = 'Verdicts are about prices: if you short these cards, "below" is what you want.';

/** What `*` means beside a type; empty if no type has one. @param changed API times; null: no change is known */
export function changedNote(changed: readonly (string | null)[]): string {
  const days = new Set(changed.flatMap((at) => (at === null ? [] : dayAndMonth(Date.parse(at)))));
  return days.size === 0 ? '' : `* only cards since its settings changed on ${[...days].join(', ')}`;
}

/** A group by its name, made safe. */
export interface Judged {
  readonly name: string;
  readonly figures: HorizonFigures | null;
  /** See `Silences`: if it is unclear, it stays so; empty: nothing more comes. */
  readonly silence?: string | undefined;
}

export const isTooEarly = ({ figures }: Judged): boolean =>
  figures?.shown_verdict == null || figures.shown_verdict === 'too_few_days';

function withRemarks({ name, figures }: Judged): string {
  const isBehindBoth = figures?.shown_verdict === 'below_others' && figures.verdict === 'below_btc';
  const isWeak = figures?.weak && figures.shown_verdict !== 'unclear';
  const remarks = [isBehindBoth && 'and behind BTC', isWeak && 'weak'].filter(Boolean).join('; ');
  return remarks === '' ? name : `${name} (${remarks})`;
}

/** More of them are counted. */
const MOST_NAMES = 3;

/**
 * What to keep, what is behind, and when the rest may be known, for `render.pairs`.
 * @param by what the groups are
 * @param gather the command line that buys outcomes, where one can be copied
 */
export function findings(groups: readonly Judged[], by: string, gather = ''): Pair[] {
  const those = (word: ShownVerdict) => groups.filter(({ figures }) => figures?.shown_verdict === word);
  const named = (label: string, its: readonly Judged[], more = ''): Pair[] => {
    const names = its.length > MOST_NAMES ? `${its.length} ${by}s` : its.map(withRemarks).join(', ');
    return its.length === 0 ? [] : [[label, `${names}${more}`]];
  };
  const unclear = those('unclear').filter(({ silence }) => !silence);
  const waits = unclear.flatMap((one) => (one.silence === '' ? [] : (one.figures?.days_until_least_shows ?? [])));
  const wait = waits.length === 0 ? '' : `, for ${timeToCome(Math.min(...waits), ' or more')}`;
  const found = [
    ...named(by === 'type' ? 'Worth keeping' : 'Above', those('above_others')),
    ...named('Above BTC', those('above_btc')),
    ...named('Behind', those('below_others')),
    ...named('Behind BTC', those('below_btc')),
  ];
  const measured = groups.flatMap(({ figures }) => (figures?.sample ? [figures] : []));
  const none: Pair = !groups.every(isTooEarly)
    ? ['Stands out', by === 'month' ? 'none' : 'none yet']
    : measured.length > 0 && measured.every(isBtc)
      ? ['No verdict', 'BTC itself is what cards are compared with.']
      : ['No verdict yet', `it takes about two weeks of outcomes${gather && `: \`${gather}\``}.`];
  return [
    ...(found.length === 0 ? [none] : found),
    ...named('No difference', those('none')),
    ...named('Unclear', unclear, wait),
    ...groups.flatMap(({ name, silence }): Pair[] =>
      silence ? [['Silent', `${name}: switched on, but ${silence}`]] : [],
    ),
  ];
}

/** Of `findings`: what is above or behind in its colour. */
export function findingLines(found: readonly Pair[], { pairs, styles }: RenderContext): string {
  return pairs(
    found.map(([label, names]) => {
      if (/^(Worth keeping|Above)/.test(label)) return [label, styles.good(names)];
      return [label, label.startsWith('Behind') ? styles.bad(names) : names];
    }),
  );
}

/** `pump so far: +2.31 pp against your other cards (N 364), above since 14 Sep`. */
export function recordSentence({ name, figures }: Judged): string {
  if (figures === null) return '';
  const { to, median } = decidingOf(figures);
  const against = `against ${to === 'btc' ? 'BTC' : 'your other cards'} (N ${figures.sample})`;
  return `${safeText(name)} so far: ${percentagePoints(median)} ${against}, ${verdictText(figures)}`;
}
