/** Whether the types that are or were above or below still are: the last 30 days, and what came since the verdict. */
import { groupBy } from '../base/collections.ts';
import { pluralize } from '../base/units.ts';
import {
  type PastVerdict,
  rankStandings,
  type Standing,
  sendsCards,
} from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { pointsOtherWay } from '../output/views/last-30-days.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import { withdrawnFromTo } from '../output/views/withdrawn-verdict.ts';
import type { Interval } from '../statistics/quantile.ts';
import { isSide } from '../statistics/rule.ts';
import { type ForestGroup, type ForestRow, forest } from './forest.ts';
import { html, label, type Markup, notes, section } from './markup.ts';
import { recordWords } from './record.ts';

/** What the types of the picture are compared with. */
const COLUMN_WORDS: Readonly<
  Record<ComparisonOfAll, { readonly whom: string; readonly column: string }>
> = {
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
  /** When the newest card of each type came, epoch milliseconds UTC. */
  readonly lastCards: ReadonlyMap<string, number>;
}

export function latelySection(
  standings: readonly Standing[],
  { record, days, endedAt, lastCards }: Past,
): Markup | undefined {
  const ranked = rankStandings(standings);
  // Those that no longer hold first: they answer the question.
  const withVerdict = [
    ...ranked.filter(({ withdrawn }) => withdrawn !== undefined),
    ...ranked.filter(({ word }) => isSide(word)),
  ];
  const comparison = comparisonOfAll(withVerdict);
  const groups = withVerdict
    .map((standing) => groupOf(standing, { ranked, isMixed: comparison === 'mixed', endedAt }))
    .filter(({ rows }) => rows.length > 0);
  const isAnyWithdrawn = withVerdict.some(({ withdrawn }) => withdrawn !== undefined);
  if (groups.length === 0 && !isAnyWithdrawn) return undefined;
  const { whom, column } = COLUMN_WORDS[comparison];
  const news = otherWayWords(withVerdict).join(' ');
  const differing = differingWords(withVerdict, ranked);
  const about =
    groups.length === 0
      ? NOT_DRAWN
      : comparisonWords(withVerdict, differing === '', { whom, endedAt });
  return section(
    'lately',
    headingOf(withVerdict, endedAt, lastCards),
    news === '' ? about : news,
    news !== '' && html`<p>${about}</p>\n`,
    groups.length > 0 &&
      forest(groups, {
        label: 'Types that are above or below, in parts',
        columns: [{ title: column, sides: ['below', 'above'] }],
        point: 'median',
        level: '95 %',
        size: '',
        sureLevel: undefined,
        decides: withVerdict.some(({ lately }) => lately !== undefined) ? SURE_FALL : '',
        // A type with a verdict has an interval in the picture of all types.
        hasLegendAbove: true,
      }),
    ...notes(groups.length > 0 && differing, recordWords(record, withVerdict, { days, endedAt })),
  );
}

/** `last 30 days`, or `30 days to 8 Oct`. @param endedAt see `Past` */
function lastDaysWords(endedAt: number | undefined): string {
  return endedAt === undefined ? 'last 30 days' : `30 days to ${dayAndMonth(endedAt)}`;
}

/** Whether the page tells the last 30 days and the time before: as on other pages, only beside enough of the other cards. */
function isInTwoTimes({ figures, isLatelyBesideEnough }: Standing): boolean {
  const isLastKnown = figures?.last_30_days?.interval_95 != null;
  const isEarlierKnown = figures?.before?.interval_95 != null;
  return isLatelyBesideEnough && isLastKnown && isEarlierKnown;
}

/** Whether there are cards that had no part in the verdict. */
function hasLaterCards({ word, wordSince, figures }: Standing): boolean {
  return isSide(word) && wordSince !== undefined && figures?.since_then?.interval_95 != null;
}

/**
 * What the rows are compared with, and of which cards they are.
 * @param isSame whether that is what the figures of all days are compared with
 */
function comparisonWords(
  standings: readonly Standing[],
  isSame: boolean,
  { whom, endedAt }: { readonly whom: string; readonly endedAt: number | undefined },
): string {
  const comparison = isSame ? 'The same comparison' : 'The comparison';
  return `${comparison} with ${whom}, ${partsWords(standings, endedAt)}`;
}

/**
 * Why the parts of some types need not add up to their figures of all days: both times are compared with the same types.
 * Empty if the parts add up.
 * @param ranked all types of the page
 */
function differingWords(standings: readonly Standing[], ranked: readonly Standing[]): string {
  const inParts = standings.filter(isInTwoTimes);
  const typesByLeftOut = groupBy(inParts, (standing) => changedTypeNames(standing, ranked));
  const clauses: string[] = [];
  for (const [leftOut, types] of typesByLeftOut) {
    if (leftOut === '') continue;
    const are = types.length === 1 ? 'is' : 'are';
    clauses.push(`${groupNames(types)} ${are} compared without ${leftOut}`);
  }
  if (clauses.length > 0)
    return `Types whose settings changed are left out here: ${clauses.join('; ')}. So the parts need not add up to the figures above.`;
  const unlike = inParts.filter((standing) => !canAddUp(standing));
  if (unlike.length === 0) return '';
  const figures = unlike.length === 1 ? 'its figure' : 'their figures';
  return `The parts of ${groupNames(unlike)} are compared only with types that have cards in both times. So they do not add up to ${figures} above.`;
}

/** The types that both times are not compared with, because their settings changed, in the order of the page. */
function changedTypeNames({ latelyWithout }: Standing, ranked: readonly Standing[]): string {
  const leftOut = ranked.filter(({ group }) => latelyWithout.includes(group));
  return leftOut.length === 0 ? '' : groupNames(leftOut);
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
  if (haveLaterCards)
    return 'of the cards since the verdict was found. They had no part in the verdict: they test it.';
  return `in parts: ${lastDays}, and the time before them.`;
}

const NOT_DRAWN =
  'The last 30 days cannot be compared with the time before yet: too few outcomes of types that kept their settings.';

const SURE_FALL =
  'That a type does less than before is said once it is sure by three standard errors.';

/**
 * `Do these verdicts still hold? Yes, newer cards confirm all 2 (dump: as of its last card, 3 Oct)`
 * @param standings whose verdict is above or below, or was withdrawn
 * @param endedAt see `Past`
 */
function headingOf(
  standings: readonly Standing[],
  endedAt: number | undefined,
  lastCards: Past['lastCards'],
): string {
  const question =
    endedAt === undefined
      ? 'Do these verdicts still hold?'
      : `Did these verdicts still hold on ${dayAndMonth(endedAt)}?`;
  return `${question} ${holdWords(standings, endedAt)}${lastCardWords(standings, lastCards)}`;
}

/** ` (dump: as of its last card, 3 Oct)`, of types with a verdict that send no cards: of the time since nothing is known. */
function lastCardWords(standings: readonly Standing[], lastCards: Past['lastCards']): string {
  const remarks: string[] = [];
  for (const standing of standings) {
    const lastCardAt = lastCards.get(standing.group);
    const isTold =
      isSide(standing.word) && (!sendsCards(standing) || standing.pausedDays !== undefined);
    if (isTold && lastCardAt !== undefined)
      remarks.push(`${label(standing.group)}: as of its last card, ${dayAndMonth(lastCardAt)}`);
  }
  return remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
}

/**
 * The answer: the verdicts that ended, the types that are nearer to 0, and those whose last 30 days point the other way; else
 * whether newer cards alone confirm all. Newer cards that do not confirm a verdict say nothing: they are few, so that
 * most true verdicts of 1 pp would be doubted by them at some time.
 */
function holdWords(standings: readonly Standing[], endedAt: number | undefined): string {
  const findings = [
    withdrawnWords(standings),
    ...lessWords(standings, endedAt),
    ...lastDaysOfOtherWay(standings, endedAt),
  ].filter((words) => words !== '');
  if (findings.length > 0) return findings.join('. ');
  if (areAllHeld(standings)) {
    const verdicts = standings.length === 1 ? 'it' : `all ${standings.length}`;
    return `Yes, newer cards confirm ${verdicts}`;
  }
  const isAnyTested = standings.some((standing) => isInTwoTimes(standing) || isConfirmed(standing));
  if (!isAnyTested) return 'Too early to say';
  const whom = standings.length === 1 ? 'it' : 'them';
  return `Nothing sure against ${whom}${endedAt === undefined ? ' so far' : ''}`;
}

/** The types that surely are nearer to 0 in the last 30 days, or beyond it: of those that are below, "less" would say more. */
function lessWords(standings: readonly Standing[], endedAt: number | undefined): string[] {
  const lastDays = lastDaysWords(endedAt);
  const less = standings.filter(({ lately }) => lately !== undefined);
  // Beside few of the other types it may be these that do worse.
  const below = less.filter(
    ({ word, isLatelyBesideEnough }) => word === 'below' && isLatelyBesideEnough,
  );
  const above = less.filter(({ word }) => word !== 'below');
  const nearer = below.filter((standing) => !pointsOtherWay(standing));
  const beyond = below.filter(pointsOtherWay);
  const sentences: string[] = [];
  if (above.length > 0) sentences.push(`${groupNames(above)}: less in the ${lastDays} than before`);
  if (nearer.length > 0)
    sentences.push(`${groupNames(nearer)}: less far below in the ${lastDays} than before`);
  if (beyond.length > 0)
    sentences.push(`${groupNames(beyond)}: no longer worse in the ${lastDays}`);
  return sentences;
}

/** Whether newer cards alone confirm each verdict, nothing is against any, and none ended. */
function areAllHeld(standings: readonly Standing[]): boolean {
  return standings.every(
    (standing) =>
      standing.withdrawn === undefined &&
      standing.lately === undefined &&
      isConfirmed(standing) &&
      !pointsOtherWay(standing),
  );
}

/** Whether an interval lies on that side of 0, all of it. */
function isBeyond0({ low, high }: Interval, side: 'above' | 'below'): boolean {
  return side === 'above' ? low > 0 : high < 0;
}

/** Whether the cards since the verdict, which had no part in it, show it by themselves, at 95 %. */
function isConfirmed(standing: Standing): boolean {
  const { word, figures } = standing;
  const later = figures?.since_then?.interval_95 ?? null;
  return hasLaterCards(standing) && isSide(word) && later !== null && isBeyond0(later, word);
}

/** `Not pump (withdrawn on 2 Nov)`, without a count: that of all verdicts stands below. Empty if all hold. */
function withdrawnWords(standings: readonly Standing[]): string {
  const names: string[] = [];
  for (const { group, withdrawn } of standings)
    if (withdrawn !== undefined)
      names.push(`${label(group)} (withdrawn on ${dayAndMonth(withdrawn.until)})`);
  return names.length === 0 ? '' : `Not ${new Intl.ListFormat('en-GB').format(names)}`;
}

function groupNames(standings: readonly Standing[]): string {
  return new Intl.ListFormat('en-GB').format(standings.map(({ group }) => label(group)));
}

const OTHER_SIDE = { above: 'below', below: 'above' } as const;

/** The types with this verdict whose last 30 days are on the other side of 0. */
function ofOtherWay(standings: readonly Standing[], side: 'above' | 'below'): Standing[] {
  return standings.filter((standing) => standing.word === side && pointsOtherWay(standing));
}

/** `dump: above 0 in the last 30 days`, for each side; without those that surely do less: other words tell of them. */
function lastDaysOfOtherWay(standings: readonly Standing[], endedAt: number | undefined): string[] {
  const sentences: string[] = [];
  for (const side of ['above', 'below'] as const) {
    const types = ofOtherWay(standings, side).filter(({ lately }) => lately === undefined);
    if (types.length > 0)
      sentences.push(
        `${groupNames(types)}: ${OTHER_SIDE[side]} 0 in the ${lastDaysWords(endedAt)}`,
      );
  }
  return sentences;
}

/** Why a verdict stands though the last 30 days are on the other side of 0, a sentence for each side. */
function otherWayWords(standings: readonly Standing[]): string[] {
  const sentences: string[] = [];
  for (const side of ['above', 'below'] as const) {
    const types = ofOtherWay(standings, side);
    if (types.length === 0) continue;
    const are = types.length === 1 ? 'is' : 'are';
    sentences.push(
      `${groupNames(types)} ${are} still called ${side}: a verdict counts all days. It ends when the thick line in the first picture touches 0.`,
    );
  }
  return sentences;
}

/** What a type's rows need to know besides its standing. */
interface AroundGroup {
  /** All types of the page. */
  readonly ranked: readonly Standing[];
  /** Whether some types are compared with other cards, and some with BTC. */
  readonly isMixed: boolean;
  /** See `Past`. */
  readonly endedAt: number | undefined;
}

/** Which types the cards since the verdict are compared with, where both times are compared with fewer; else empty. */
function furtherTypesWords(standing: Standing, ranked: readonly Standing[]): string {
  if (!isInTwoTimes(standing)) return '';
  const leftOut = changedTypeNames(standing, ranked);
  if (leftOut !== '') return `also vs ${leftOut}`;
  return canAddUp(standing) ? '' : 'vs all other types';
}

function groupOf(standing: Standing, { ranked, isMixed, endedAt }: AroundGroup): ForestGroup {
  const { group, figures, word, wordSince, comparedWith, base } = standing;
  const isInParts = standing.isLatelyBesideEnough;
  const last = isInParts ? (figures?.last_30_days ?? null) : null;
  const before = isInParts ? (figures?.before ?? null) : null;
  const later = figures?.since_then ?? null;
  const parts: PartInTime[] = [];
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
    const ofBought = isOfService ? 'those you bought' : '';
    const remarks = [ofBought, furtherTypesWords(standing, ranked)];
    parts.push({
      name: `since its verdict, ${dayAndMonth(wordSince)}`,
      source: remarks.filter((words) => words !== '').join(', '),
      outcomes: later.cards,
      median: later.difference_percentage_points,
      interval: later.interval_95,
    });
  }
  const earlier = withdrawnFromTo(standing);
  const name = earlier === undefined ? label(group) : `${label(group)}, ${earlier}`;
  return {
    heading: isMixed && comparedWith === 'btc' ? `${name} (vs BTC)` : name,
    rows: parts.filter(({ interval }) => interval !== null).map(rowOfPart),
  };
}

/** The difference of some of a type's cards, percentage points. */
interface PartInTime {
  readonly name: string;
  /** Whose outcomes it rests on and what they are compared with, where the page must tell rows apart; empty if it need not. */
  readonly source: string;
  readonly median: number | null;
  readonly interval: Interval | null;
  /** How many cards it is of; undefined if the row does not say it. */
  readonly outcomes?: number;
}

/** Grey: colour is a verdict, and none is given on a part. */
function rowOfPart({ name, source, median, interval, outcomes }: PartInTime): ForestRow {
  const size = outcomes === undefined ? '' : pluralize(outcomes, 'outcome');
  return {
    name,
    word: null,
    verdict: '',
    remark: source,
    marks: [{ word: null, median, interval, sureInterval: undefined, says: '' }],
    size: size !== '' && html`<span class="range">${size}</span>`,
    details: false,
  };
}
