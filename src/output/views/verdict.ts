/** What screens and the report say of a standing. */
import { against, isWeak } from '../../outcomes/figure-table.ts';
import { isClear, type Standing } from '../../outcomes/standing.ts';
import type { ShownVerdict } from '../../outcomes/types.ts';
import { pluralize } from '../../runtime/units.ts';
import { FEW_CLUSTERS, LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import type { Interval } from '../../statistics/quantile.ts';
import { LEAST } from '../../statistics/verdict.ts';
import { dayAndMonth, estimateText, NONE, points } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, RenderContext, Styles } from '../types.ts';
import { figureColumn, textColumn } from './parts.ts';

type Tone = 'good' | 'bad' | 'dim';

export const VERDICTS_SHOWN: Readonly<
  Record<ShownVerdict, { readonly text: string; readonly tone: Tone }>
> = {
  above_btc: { text: 'above BTC', tone: 'good' },
  below_btc: { text: 'below BTC', tone: 'bad' },
  above_others: { text: 'above', tone: 'good' },
  below_others: { text: 'below', tone: 'bad' },
  none: { text: 'no difference', tone: 'dim' },
  unclear: { text: 'unclear', tone: 'dim' },
  too_few_days: { text: 'too few days', tone: 'dim' },
};

export const toneOf = ({ word }: Pick<Standing, 'word'>): Tone =>
  word === 'above' ? 'good' : word === 'below' ? 'bad' : 'dim';

const isBtc = ({ figures }: Standing) =>
  figures !== null && figures.cards_of_btc > 0 && figures.btc_sample === 0;

export const hasVerdict = (one: Standing | null): one is Standing =>
  one !== null && (one.word !== null || isBtc(one));

/**
 * `above since 24 Sep, weak`, `no difference (<1 pp)`, `unclear; likely by 23 Dec`, `unclear, silent 21 days`.
 * @param least the smallest difference that matters, percentage points; absent where it is said elsewhere
 */
export function verdictText(standing: Standing | null, least?: number): string {
  if (!hasVerdict(standing)) return NONE;
  const { word, to, since, silentDays, figures } = standing;
  if (word === null) return 'BTC itself';
  const { text } = VERDICTS_SHOWN[against(to, word) as ShownVerdict];
  const [days, needed] = [
    figures?.distinct_days ?? 0,
    LEAST_CLUSTERS * (figures?.cluster_days ?? 1),
  ];
  if (word === 'too_few_days') return days < needed ? `${text} (${days} of ${needed})` : text;
  if (word === 'unclear') {
    return `${text}${silentDays === undefined ? waitText(standing) : `, silent ${pluralize(silentDays, 'day')}`}`;
  }
  const remark = isWeak(standing) ? ', weak' : '';
  if (word === 'none') return `${text}${remark || (least === undefined ? '' : ` (<${least} pp)`)}`;
  return `${text}${since === undefined ? '' : ` since ${dayAndMonth(since)}`}${remark}`;
}

/** `; likely by 23 Dec`, `; medians 8 Oct`, `; 5 % unknown`, `, may stay so`. */
function waitText({ wait, base, isHeldBack, figures, since }: Standing): string {
  // More outcomes mend it little.
  if (isHeldBack) return `; ${Math.round(100 * (figures?.missing_share ?? 0))} % unknown`;
  if (wait === null) return '';
  const { source, nextAt, span } = base;
  const isEndless = wait === Infinity;
  // Of the endless waits after fewer days, half ended with a word.
  if (isEndless && since !== undefined && span >= LASTING_DAYS) return ', may stay so';
  // Medians know more than what was bought tells of the time.
  if (nextAt !== null && wait > nextAt && (isEndless || source === 'bought')) {
    return `; medians ${dayAndMonth(nextAt)}`;
  }
  // Outcomes of one question come at a rate that is known only when exports have judged for a time.
  if (isEndless || (since === undefined && source === 'bought')) return '';
  return `; likely by ${dayAndMonth(wait)}`;
}

const LASTING_DAYS = 120;

/** N, both differences and the verdict of a line of a list, all on one base. @param least see `verdictText` */
export function differenceColumns<T>(of: (row: T) => Standing | null, least = LEAST) {
  const tinted = (row: T, styles: Styles, text: string) => {
    const standing = of(row);
    return standing === null ? text : styles[toneOf(standing)](text);
  };
  const vsOthers: Column<T>['cell'] = (row, { styles }) =>
    tinted(row, styles, points(of(row)?.base.vsOthers));
  const verdict: Column<T>['cell'] = (row, { styles }) =>
    tinted(row, styles, verdictText(of(row), least));
  return {
    size: figureColumn<T>('N', 3, (row) => String(of(row)?.base.sample ?? NONE)),
    vsBtc: figureColumn<T>('VS BTC', 2, (row) => points(of(row)?.base.vsBtc), {
      has: (row) => of(row)?.base.vsBtc != null,
    }),
    vsOthers: figureColumn<T>('VS OTHERS', 1, vsOthers, {
      has: (row) => of(row)?.base.vsOthers != null,
    }),
    verdict: textColumn<T>('VERDICT', 0, verdict, { has: (row) => hasVerdict(of(row)) }),
  } satisfies Record<string, Column<T>>;
}

/** What `*` means beside a type; empty if no type has one. @param changed API times; null: no change is known */
export function changedNote(changed: readonly (string | null)[]): string {
  const days = new Set(changed.flatMap((at) => (at === null ? [] : dayAndMonth(Date.parse(at)))));
  return days.size === 0
    ? ''
    : `* only cards since its settings changed on ${[...days].join(', ')}`;
}

/** The verdict as a title; before any, when the first outcome is due, if that is known. @param least see `verdictText` */
export function titleText(standing: Standing, least: number): string {
  if (hasVerdict(standing)) return verdictText(standing, least);
  const { dueAt } = standing;
  return dueAt === null
    ? 'nothing measured yet'
    : `the first outcome is due on ${dayAndMonth(dueAt)}`;
}

export const isTooEarly = ({ word }: Standing): boolean => word === null || word === 'too_few_days';

export interface FindingLine {
  readonly label: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** Of a type below the others. @param vsBtc its word against BTC */
function behindBtc(vsBtc: Standing['vsBtc']): string {
  if (vsBtc === 'below') return 'behind BTC, too';
  return vsBtc === 'above' || vsBtc === 'none' ? 'not behind BTC' : 'not clearly behind BTC';
}

export function dropWords(vsBtc: Standing['vsBtc']): string {
  return `It is ${behindBtc(vsBtc)}: ${vsBtc === 'below' ? 'worth dropping' : 'no reason yet to drop it'}.`;
}

function nameWithRemarks(standing: Standing): string {
  const { group, word, to } = standing;
  const behind = word === 'below' && to === 'others' ? behindBtc(standing.vsBtc) : '';
  const remarks = [behind, isClear(standing) && isWeak(standing) ? 'weak' : '']
    .filter(Boolean)
    .join('; ');
  return remarks === '' ? safeText(group) : `${safeText(group)} (${remarks})`;
}

const MOST_NAMES = 3;

function named(label: string, its: readonly Standing[], by: string, tone?: Tone): FindingLine[] {
  const text =
    its.length > MOST_NAMES ? `${its.length} ${by}s` : its.map(nameWithRemarks).join(', ');
  return its.length === 0 ? [] : [{ label, tone, text }];
}

const isWorthDropping = ({ word, to, vsBtc }: Standing): boolean =>
  word === 'below' && (to === 'btc' || vsBtc === 'below');

/** What stands out, from what to keep to what to drop. @param by what the groups are */
export function foundLines(standings: readonly Standing[], by: string): FindingLine[] {
  const dropped = by === 'type' ? standings.filter(isWorthDropping) : [];
  const those = (word: Standing['word'], to: Standing['to']) =>
    standings.filter((one) => one.word === word && one.to === to && !dropped.includes(one));
  return [
    ...named(by === 'type' ? 'Worth keeping' : 'Above', those('above', 'others'), by, 'good'),
    ...named('Above BTC', those('above', 'btc'), by, 'good'),
    ...named('Worth dropping', dropped, by, 'bad'),
    ...named('Behind', those('below', 'others'), by, 'bad'),
    ...named('Behind BTC', those('below', 'btc'), by, 'bad'),
  ];
}

/**
 * What to keep, what is behind, and what is not known.
 * @param by what the groups are
 * @param gather the command line that buys outcomes, where one can be copied
 */
export function findings(standings: readonly Standing[], by: string, gather = ''): FindingLine[] {
  const those = (word: Standing['word']) => standings.filter((one) => one.word === word);
  const heard = (word: Standing['word']) =>
    those(word).filter(({ silentDays }) => silentDays === undefined);
  const found = foundLines(standings, by);
  return [
    ...(found.length === 0 ? [nothingFound(standings, by, gather)] : found),
    ...named('No difference', those('none'), by),
    ...named('Unclear', heard('unclear'), by),
    ...(standings.every(isTooEarly) ? [] : named('Too few days', heard('too_few_days'), by)),
    ...standings.flatMap(({ group, silentDays }): FindingLine[] => {
      if (silentDays === undefined) return [];
      const text = `${safeText(group)}: switched on, but no card for ${pluralize(silentDays, 'day')}`;
      return [{ label: 'Silent', text }];
    }),
  ];
}

function nothingFound(standings: readonly Standing[], by: string, gather: string): FindingLine {
  if (!standings.every(isTooEarly))
    return { label: 'Stands out', text: by === 'month' ? 'none' : 'none yet' };
  const measured = standings.filter(({ figures }) => figures?.sample);
  if (measured.length > 0 && measured.every(isBtc)) {
    return { label: 'No verdict', text: 'BTC itself is what cards are compared with.' };
  }
  return {
    label: 'No verdict yet',
    text: `needs 12 days of outcomes${gather && `; run daily: \`${gather}\``}`,
  };
}

export function findingLines(
  lines: readonly FindingLine[],
  { pairs, styles }: RenderContext,
): string {
  return pairs(
    lines.map(({ label, text, tone }) => [label, tone === undefined ? text : styles[tone](text)]),
  );
}

export function behindNote(standings: readonly Standing[], by: string): string {
  const behind = standings.filter(({ word }) => word === 'below');
  if (behind.length === 0 || by === 'month') return '';
  const drop = behind.some(({ to }) => to === 'others')
    ? `Drop a ${by} only if it is behind BTC, too: next to one strong ${by}, an average one falls behind. `
    : '';
  const [only, ...further] = standings;
  return `${drop && only && further.length === 0 ? `${dropWords(only.vsBtc)} ` : drop}If you short these cards, "below" is what you want.`;
}

/** What the figures rest on where the service's medians decide; empty if they do nowhere. */
export function baseNote(standings: readonly Standing[], figures = 'N, VS BTC, VS OTHERS'): string {
  const own = standings.filter(({ base }) => base.source === 'service');
  if (own.length === 0) return '';
  const days = (of: (base: Standing['base']) => number | null) => {
    const times = own.flatMap(({ base }) => of(base) ?? []).sort((a, b) => a - b);
    return [...new Set(times.map(dayAndMonth))].join(' and ');
  };
  const next = days(({ nextAt }) => nextAt);
  const [only, ...further] = standings;
  const counted =
    further.length === 0 && `${only?.base.sample} outcomes of ${only?.base.span} days`;
  const remarks = [counted, next && `new ones: ${next}`].filter(Boolean);
  const namesWith = (is: (base: Standing['base']) => boolean) =>
    standings.flatMap(({ group, base }) => (is(base) ? safeText(group) : [])).join(', ');
  const bought = namesWith(({ source, sample }) => source === 'bought' && sample > 0);
  const unfit = namesWith(({ isPassedOver }) => isPassedOver);
  return [
    `${figures}: the service's medians up to ${days(({ askedAt }) => askedAt)}${remarks.length === 0 ? '' : ` (${remarks.join('; ')})`}.`,
    ...(bought ? [`For ${bought}: what you bought.`] : []),
    ...(unfit ? [`Later medians of ${unfit} do not fit its cards, and count for nothing.`] : []),
  ].join(' ');
}

/** Why words are unclear though their intervals leave out 0. @param isOfBtc whether the word against BTC is shown, too */
export function unclearNote(standings: readonly Standing[], isOfBtc = false): string {
  const leavesOut = (one?: Interval | null) => one != null && (one.low > 0 || one.high < 0);
  const why = (word: Standing['word'], interval?: Interval | null, widened?: Interval | null) => {
    if (word !== 'unclear' || !leavesOut(interval)) return '';
    const isLost = leavesOut(widened) && 'the outcomes without a figure could decide either way';
    return isLost || '0 lies in the interval widened for all comparisons and daily looks';
  };
  const reasons = standings.flatMap(({ word, vsBtc, to, base, isHeldBack, figures: of }) => {
    const own = isHeldBack ? '' : why(word, base.interval, base.widened);
    const isToo = isOfBtc && to === 'others';
    const btc = isToo
      ? why(vsBtc, of?.median_vs_btc_interval_95, of?.median_vs_btc_interval_holm)
      : '';
    return [own && `unclear: ${own}`, btc && `unclear vs BTC: ${btc}`];
  });
  return [...new Set(reasons)].filter(Boolean).join('\n');
}

/** What holds words back, then other large shares of outcomes without a figure. */
export function missingNotes(standings: readonly Standing[]): string[] {
  const isHeldBack = (one: Standing) =>
    one.word === 'unclear' && one.isHeldBack && one.silentDays === undefined;
  const its = standings.flatMap((one): string[] => {
    const share = one.figures?.missing_share ?? 0;
    // Smaller shares, and those of a few, are no news.
    if (share < 0.1 || (one.of?.bought ?? 0) < 20 || isHeldBack(one)) return [];
    return [`${safeText(one.group) || 'all cards'} (${Math.round(100 * share)} %)`];
  });
  return [
    standings.some(isHeldBack)
      ? 'unknown: outcomes without a figure, which could decide either way'
      : '',
    its.length === 0
      ? ''
      : `${standings.some(isHeldBack) ? 'Also' : 'Outcomes'} without a figure: ${its.join(', ')}.`,
  ];
}

/** What there is to say below a list. @param by what the groups are @param figures what the base is of */
export function standingNotes(
  standings: readonly Standing[],
  by: string,
  figures?: string,
): string[] {
  const isSaid = standings.some((one) => isClear(one) && isWeak(one));
  const weak = isSaid ? `weak: rests on fewer than ${FEW_CLUSTERS} blocks of days` : '';
  return [
    weak,
    baseNote(standings, figures),
    ...missingNotes(standings),
    behindNote(standings, by),
  ];
}

export function sinceThenText({ word, figures }: Standing): string {
  const {
    cards = 0,
    difference_percentage_points: later,
    interval_95: interval,
  } = figures?.since_then ?? {};
  // Beside "no difference" the median of fewer cards would look like a doubt.
  if ((word !== 'above' && word !== 'below') || interval == null) return '';
  return `The ${pluralize(cards, 'bought outcome')} since that verdict: ${estimateText(later, interval)} pp.`;
}
