/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { pluralize } from '../base/units.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import { withdrawnText } from '../output/views/verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestGroup, type ForestRow, forest } from './forest.ts';
import { html, label, type Markup, note, section } from './markup.ts';
import { recordWords } from './record.ts';

/** What the types of the picture are compared with. */
const WORDS: Readonly<Record<ComparisonOfAll, { readonly whom: string; readonly column: string }>> =
  {
    others: { whom: 'your other cards', column: 'vs other cards' },
    btc: { whom: 'BTC', column: 'vs BTC' },
    mixed: {
      whom: 'your other cards, or with BTC where that is named',
      column: 'vs other cards or BTC',
    },
  };

/** What the section knows besides the standings. */
interface Past {
  /** Of verdicts above and below that the notebook has of the time of the page. */
  readonly record: readonly PastVerdict[];
  /** UTC days of the page. */
  readonly days: number;
  /** Where the history ends if nothing was exported of late, epoch milliseconds UTC; undefined if exports do their work. */
  readonly endedAt: number | undefined;
}

export function latelySection(
  standings: readonly Standing[],
  { record, days, endedAt }: Past,
): Markup | undefined {
  const ranked = rankStandings(standings);
  // Those that no longer hold first: they answer the question.
  const withVerdict = [
    ...ranked.filter(({ withdrawn }) => withdrawn !== undefined),
    ...ranked.filter(({ word }) => isSide(word)),
  ];
  const comparison = comparisonOfAll(withVerdict);
  const groups = withVerdict
    .map((standing) => groupOf(standing, comparison === 'mixed', endedAt))
    .filter(({ rows }) => rows.length > 0);
  const isAnyWithdrawn = withVerdict.some(({ withdrawn }) => withdrawn !== undefined);
  if (groups.length === 0 && !isAnyWithdrawn) return undefined;
  const { whom, column } = WORDS[comparison];
  const news = [
    ...fallenWords(withVerdict, endedAt),
    ...againstVerdictWords(withVerdict, endedAt),
    ...notShownWords(withVerdict),
  ].join(' ');
  const about = groups.length === 0 ? NOT_DRAWN : comparisonWords(withVerdict, whom, endedAt);
  // Then the heading has counted them.
  const isCounted = isAnyWithdrawn || areAllHeld(withVerdict);
  const isHeadingWhole = isCounted && record.length === withVerdict.length;
  return section(
    'lately',
    headingOf(withVerdict, endedAt),
    news === '' ? about : news,
    news !== '' && html`<p>${about}</p>\n`,
    groups.length > 0 &&
      forest(groups, {
        label: 'Types that are above or below, in parts',
        columns: [{ title: column, sides: ['below', 'above'] }],
        point: 'median',
        size: '',
        sureLevel: undefined,
        decides: withVerdict.some(isInTwoTimes) ? SURE_FALL : '',
        // A type with a verdict has an interval in the picture of all types.
        isExplained: true,
      }),
    note(!isHeadingWhole && recordWords(record, days, endedAt)),
  );
}

/** `last 30 days`, or `30 days to 8 Oct`. @param endedAt see `Past` */
function lastDaysWords(endedAt: number | undefined): string {
  return endedAt === undefined ? 'last 30 days' : `30 days to ${dayAndMonth(endedAt)}`;
}

/** Whether the last 30 days and the time before can be compared. */
function isInTwoTimes({ figures }: Standing): boolean {
  return figures?.last_30_days?.interval_95 != null && figures.before?.interval_95 != null;
}

/** Whether there are cards that had no part in the verdict. */
function hasLaterCards({ word, wordSince, figures }: Standing): boolean {
  return isSide(word) && wordSince !== undefined && figures?.since_then?.interval_95 != null;
}

/** What the rows are compared with, and of which cards they are. */
function comparisonWords(
  standings: readonly Standing[],
  whom: string,
  endedAt: number | undefined,
): string {
  const unlike = standings.filter((standing) => !canAddUp(standing));
  const parts = partsWords(standings, endedAt);
  if (unlike.length === 0) return `The same comparison with ${whom}, ${parts}`;
  const figures = unlike.length === 1 ? 'its figure' : 'their figures';
  const whatFails = `The parts of ${namesOf(unlike)} do not add up to ${figures} of all days`;
  const why =
    'they are compared only with types that have cards in both times and kept their settings';
  return `The comparison with ${whom}, ${parts} ${whatFails}: ${why}.`;
}

/** Whether the figure of all days lies between those of the two times. It need not: they are compared with fewer types. */
function canAddUp({ figures, comparedWith, base }: Standing): boolean {
  const last = figures?.last_30_days?.percentage_points;
  const before = figures?.before?.percentage_points;
  if (comparedWith === 'btc' || base.median === null || last == null || before == null) return true;
  return base.median >= Math.min(last, before) && base.median <= Math.max(last, before);
}

/** Of which cards the rows are. */
function partsWords(standings: readonly Standing[], endedAt: number | undefined): string {
  const areInTwoTimes = standings.some(isInTwoTimes);
  const haveLaterCards = standings.some(hasLaterCards);
  const lastDays = `the ${lastDaysWords(endedAt)}`;
  if (areInTwoTimes && haveLaterCards)
    return `in parts: ${lastDays}, the time before them, and the cards since the verdict was found. Those cards had no part in the verdict: they test it.`;
  return haveLaterCards
    ? 'of the cards since the verdict was found. They had no part in the verdict: they test it.'
    : `in parts: ${lastDays}, and the time before them.`;
}

const NOT_DRAWN = 'The last 30 days cannot be compared with the time before yet.';

const SURE_FALL =
  'A type is said to do less, or to be less far below, once that is sure by three standard errors.';

/**
 * `Do these verdicts still hold? Yes, all 2`
 * @param standings whose verdict is above or below, or was taken back
 * @param endedAt see `Past`
 */
function headingOf(standings: readonly Standing[], endedAt: number | undefined): string {
  const question =
    endedAt === undefined
      ? 'Do these verdicts still hold?'
      : `Did these verdicts still hold on ${dayAndMonth(endedAt)}?`;
  return `${question} ${holdWords(standings, endedAt)}`;
}

/**
 * The answer: the verdicts that ended, and the types that are nearer to 0; else those that may not hold; else whether newer
 * cards alone confirm all.
 */
function holdWords(standings: readonly Standing[], endedAt: number | undefined): string {
  const findings = [endedWords(standings), ...lessWords(standings, endedAt)].filter(
    (words) => words !== '',
  );
  if (findings.length > 0) return findings.join('. ');
  // "Yes" would calm: what is not sure may still be so.
  const doubtful = standings.filter(isDoubtful);
  if (doubtful.length > 0) return `Perhaps not ${namesOf(doubtful)}`;
  if (areAllHeld(standings))
    return standings.length === 1 ? 'Yes, the 1 found' : `Yes, all ${standings.length}`;
  const isAnyTested = standings.some((standing) => isInTwoTimes(standing) || isConfirmed(standing));
  if (!isAnyTested) return 'Too early to say';
  return `Nothing against ${standings.length === 1 ? 'it' : 'them'} so far`;
}

/** The types that surely are nearer to 0 in the last 30 days, or beyond it: of those that are below, "less" would say more. */
function lessWords(standings: readonly Standing[], endedAt: number | undefined): string[] {
  const lastDays = lastDaysWords(endedAt);
  const less = standings.filter(({ lately }) => lately !== undefined);
  const below = less.filter(({ word }) => word === 'below');
  const above = less.filter(({ word }) => word !== 'below');
  const nearer = below.filter((standing) => !isAgainstVerdict(standing));
  const beyond = below.filter(isAgainstVerdict);
  const sentences: string[] = [];
  if (above.length > 0) sentences.push(`${namesOf(above)}: less in the ${lastDays} than before`);
  if (nearer.length > 0)
    sentences.push(`${namesOf(nearer)}: less far below in the ${lastDays} than before`);
  if (beyond.length > 0) sentences.push(`${namesOf(beyond)}: no longer worse in the ${lastDays}`);
  return sentences;
}

/** Whether newer cards alone confirm each verdict, nothing is against any, and none ended. */
function areAllHeld(standings: readonly Standing[]): boolean {
  return standings.every(
    (standing) =>
      standing.withdrawn === undefined &&
      standing.lately === undefined &&
      isConfirmed(standing) &&
      !isDoubtful(standing),
  );
}

/** Whether an interval lies on that side of 0, all of it. */
function isClear({ low, high }: Interval, side: 'above' | 'below'): boolean {
  return side === 'above' ? low > 0 : high < 0;
}

/** Whether the cards since the verdict, which had no part in it, show it by themselves, at 95 %. */
function isConfirmed(standing: Standing): boolean {
  const { word, figures } = standing;
  const later = figures?.since_then?.interval_95 ?? null;
  return hasLaterCards(standing) && isSide(word) && later !== null && isClear(later, word);
}

/** Whether something is against a verdict that stands, though not surely, and no other words tell it. */
function isDoubtful(standing: Standing): boolean {
  const { lately, withdrawn } = standing;
  if (lately !== undefined || withdrawn !== undefined) return false;
  return (
    hasPerhapsFallen(standing) || isAgainstVerdict(standing) || isNotShownByNewerCards(standing)
  );
}

/** Whether the last 30 days lie on the other side of 0. */
function isAgainstVerdict({ word, figures }: Standing): boolean {
  return isSide(word) && isBeyondZero(figures?.last_30_days?.percentage_points ?? 0, word);
}

/** Whether a difference is on the other side of 0. */
function isBeyondZero(difference: number, side: 'above' | 'below'): boolean {
  return side === 'above' ? difference < 0 : difference > 0;
}

/** Whether the last 30 days touch 0 and the time before does not, or the cards since the verdict lie on the other side. */
function isNotShownByNewerCards(standing: Standing): boolean {
  const { word, figures } = standing;
  if (!isSide(word)) return false;
  const last = figures?.last_30_days?.interval_95 ?? null;
  const before = figures?.before?.interval_95 ?? null;
  const later = figures?.since_then?.difference_percentage_points ?? 0;
  if (hasLaterCards(standing) && isBeyondZero(later, word)) return true;
  return last !== null && before !== null && isClear(before, word) && !isClear(last, word);
}

/** `1 of 3 ended: pump on 2 Nov`. Empty if all hold. */
function endedWords(standings: readonly Standing[]): string {
  const names: string[] = [];
  for (const { group, withdrawn } of standings)
    if (withdrawn !== undefined) names.push(`${label(group)} on ${dayAndMonth(withdrawn.until)}`);
  if (names.length === 0) return '';
  const which = standings.length === 1 ? 'The 1 found' : `${names.length} of ${standings.length}`;
  return `${which} ended: ${new Intl.ListFormat('en-GB').format(names)}`;
}

function namesOf(standings: readonly Standing[]): string {
  return new Intl.ListFormat('en-GB').format(standings.map(({ group }) => label(group)));
}

/**
 * Whether a type was nearer to 0 in the last 30 days than before, or beyond it: the two 95 % intervals do not touch, and no
 * other words tell it. A move away from 0 is not told: of types that stay as they are, as many seem to rise.
 */
function hasPerhapsFallen({ figures, word, lately, withdrawn }: Standing): boolean {
  const last = figures?.last_30_days?.interval_95 ?? null;
  const before = figures?.before?.interval_95 ?? null;
  if (last === null || before === null || lately !== undefined || withdrawn !== undefined)
    return false;
  return word === 'above' ? last.high < before.low : last.low > before.high;
}

/** Which types may have fallen, in a sentence or two for each side. */
function fallenWords(standings: readonly Standing[], endedAt: number | undefined): string[] {
  const sentences: string[] = [];
  for (const side of ['above', 'below'] as const) {
    const fallen = standings.filter(
      (standing) => standing.word === side && hasPerhapsFallen(standing),
    );
    if (fallen.length === 0) continue;
    const direction = side === 'above' ? 'worse' : 'better';
    const is = endedAt === undefined ? 'is' : 'was';
    const lastDays = lastDaysWords(endedAt);
    sentences.push(
      `${namesOf(fallen)} did ${direction} in the ${lastDays} than before; that ${is} not sure yet.`,
    );
    if (fallen.some(({ comparedWith }) => comparedWith === 'others'))
      sentences.push(NEIGHBOURS[side]);
  }
  return sentences;
}

/** Why a type that is above, or below, may only seem to have fallen. */
const NEIGHBOURS: Readonly<Record<'above' | 'below', string>> = {
  above: 'It may be the other types: a type looks worse beside types that do better than they did.',
  below: 'It may be the other types: a type looks better beside types that do worse than they did.',
};

const OTHER_SIDE = { above: 'below', below: 'above' } as const;

/** Why a verdict stands though the last 30 days lie on the other side of 0, a sentence for each side. */
function againstVerdictWords(
  standings: readonly Standing[],
  endedAt: number | undefined,
): string[] {
  const sentences: string[] = [];
  for (const side of ['above', 'below'] as const) {
    const types = standings.filter(
      (standing) => standing.word === side && isAgainstVerdict(standing),
    );
    if (types.length === 0) continue;
    const was = types.length === 1 ? 'was' : 'were';
    const are = types.length === 1 ? 'is' : 'are';
    sentences.push(
      `${namesOf(types)} ${was} ${OTHER_SIDE[side]} 0 in the ${lastDaysWords(endedAt)}, but ${are} still called ${side}: a verdict is of all days together, and ends once their thick line reaches 0.`,
    );
  }
  return sentences;
}

/** Which types may not hold, where no other sentence says why. */
function notShownWords(standings: readonly Standing[]): string[] {
  const types = standings.filter(
    (standing) =>
      isDoubtful(standing) && !hasPerhapsFallen(standing) && !isAgainstVerdict(standing),
  );
  if (types.length === 0) return [];
  return [`The newer cards alone do not show the verdict of ${namesOf(types)}.`];
}

/**
 * @param isMixed whether some types are compared with other cards, and some with BTC
 * @param endedAt see `Past`
 */
function groupOf(standing: Standing, isMixed: boolean, endedAt: number | undefined): ForestGroup {
  const { group, figures, word, wordSince, comparedWith, base } = standing;
  const last = figures?.last_30_days ?? null;
  const before = figures?.before ?? null;
  const later = figures?.since_then ?? null;
  const parts: Part[] = [];
  const isOfService = base.source === 'service';
  const ofAll = isOfService ? "the service's outcomes" : '';
  const lastDays = lastDaysWords(endedAt);
  if (last !== null && before !== null) {
    parts.push(
      {
        name: lastDays,
        source: ofAll,
        median: last.percentage_points,
        interval: last.interval_95,
      },
      {
        name: 'before them',
        source: ofAll,
        median: before.percentage_points,
        interval: before.interval_95,
      },
    );
  }
  if (isSide(word) && wordSince !== undefined && later !== null) {
    parts.push({
      name: `since found, ${dayAndMonth(wordSince)}`,
      source: isOfService ? 'those you bought' : '',
      outcomes: later.cards,
      median: later.difference_percentage_points,
      interval: later.interval_95,
    });
  }
  const earlier = withdrawnText(standing);
  const name = earlier === undefined ? label(group) : `${label(group)}, ${earlier}`;
  return {
    heading: isMixed && comparedWith === 'btc' ? `${name} (vs BTC)` : name,
    rows: parts.filter(({ interval }) => interval !== null).map(rowOf),
  };
}

/** The difference of some of a type's cards, percentage points. */
interface Part {
  readonly name: string;
  /** Whose outcomes it rests on, where the page must tell them apart; empty if it need not. */
  readonly source: string;
  readonly median: number | null;
  readonly interval: Interval | null;
  /** How many cards it is of; undefined if the row does not say it. */
  readonly outcomes?: number;
}

/** Grey: colour is a verdict, and none is given on a part. */
function rowOf({ name, source, median, interval, outcomes }: Part): ForestRow {
  const size = outcomes === undefined ? '' : pluralize(outcomes, 'outcome');
  return {
    name,
    word: null,
    verdict: '',
    remark: source,
    marks: [{ word: null, median, interval, sureInterval: undefined, says: '' }],
    size: size !== '' && html`<span class="range">${size}</span>`,
    about: false,
  };
}
