/** `screener screeners`, answered from a history: each screener with its settings and its verdict. Sends nothing. */
import { byHorizon } from '../api/contract/horizons.ts';
import { apiTimeOrNull, formatApiTime } from '../api/time.ts';
import { groupBy, matches } from '../base/collections.ts';
import { configuredSince, offSince, settingsPeriods } from '../history/store/settings-periods.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { Comparison } from '../outcomes/figures.ts';
import type { HistoryCard } from '../outcomes/history-card.ts';
import { beginOfRate, cardsPerDay, twoDecimals } from '../outcomes/rate.ts';
import { rankStandings, silenceOf } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import type { Tuning } from '../outcomes/tune-types.ts';
import { rateDaysText } from '../output/format.ts';
import type { RenderContext } from '../output/types.ts';
import { actionsOf } from '../output/views/actions.ts';
import {
  type AllTypes,
  type LocalScreener,
  type LocalScreenersHead,
  localScreenersView,
  pageOfAllTypes,
  pageOfType,
} from '../output/views/local-screeners.ts';
import { typesInOrder } from '../output/views/sections.ts';
import type { SettingsHistory } from '../output/views/settings-history.ts';
import { worthTrying } from '../output/views/tune-words.ts';
import { printList } from './parts/history-list.ts';
import { explainEmpty, type Inquiry, inquire, judgedTypes, noteOverdue } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { adviceVsBtc, searchSettings, tuneCommand } from './tune.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { history, type } = options;
  // Only the page of one type says when a verdict is likely. For that, it needs to know what exports will buy.
  const foreseesExports = type !== undefined;
  const inquiry = await inquire(invocation, { history, from: options.from }, { foreseesExports });
  const { evidence } = inquiry;
  const { comparison, standings } = judgedTypes(inquiry);
  const ranked = rankStandings(standings);
  const screeners = localScreeners(inquiry, comparison);
  const wantedScreeners = screeners.filter((screener) => matches(screener.type, type));
  const items = inOrderOf(typesInOrder(ranked), wantedScreeners);
  if (type !== undefined && items.length === 0) {
    await explainEmpty(invocation, { history, type });
    // There is no page to print: people get notes in its place.
    if (invocation.output.isForPeople) {
      if (inquiry.overdue !== undefined) noteOverdue(invocation, inquiry.overdue);
      return invocation.notes.note(
        `This history has no settings of '${type}', and no card of it in the last 180 days.`,
      );
    }
  }
  const isPageOfType = type !== undefined && items.length > 0;
  const typeDetails: TypeDetails | undefined = isPageOfType
    ? { settings: settingsHistory(inquiry, type, standings), tuning: tuningOf(evidence, { type }) }
    : undefined;
  const { firstCardAt } = inquiry.known;
  const allTypes: AllTypes = {
    standings: ranked,
    caveats: inquiry.caveats,
    rateDays: rateDaysSince(inquiry, firstCardAt),
    exportCommand: exportCommand(invocation, options.from),
    statsCommand: statsCommand(invocation, options, { '--by': 'type' }),
  };
  /** The page of one type if `typeDetails` has its details; otherwise the page of all types. */
  const page = (render: RenderContext) => {
    if (typeDetails === undefined) {
      const search = searchSettings(invocation, options, inquiry);
      // The advice about settings: the stricter ones to try.
      const { settings: settingsAdvice } = actionsOf(standings, search);
      const tries = worthTrying(settingsAdvice?.suggestions ?? [], standings);
      return pageOfAllTypes(items, tries, allTypes, render);
    }
    const group = comparison.groups.find((eachGroup) => eachGroup.group === type);
    const rateBegins = beginOfRate(group?.inUseSince, firstCardAt);
    const focus = adviceVsBtc(invocation, options, inquiry, standings);
    return pageOfType(
      {
        screeners: items,
        history: typeDetails.settings,
        tuning: typeDetails.tuning,
        allTypes,
        rateDays: rateDaysSince(inquiry, rateBegins),
        focus: focus?.type === type ? focus : undefined,
        moreCommands: commandsForType(invocation, options, typeDetails),
      },
      render,
    );
  };
  const head = headOf(typeDetails, evidence.now);
  await printList(invocation, localScreenersView, { items, head, overdue: inquiry.overdue, page });
}

/** What the page of a single type shows besides its screeners. */
interface TypeDetails {
  /** Its settings through time. */
  readonly settings: SettingsHistory;
  readonly tuning: Tuning;
}

/** The period of the types' rates, in words. @param begins when it begins, epoch milliseconds UTC */
function rateDaysSince({ evidence, overdue }: Inquiry, begins: number): string {
  return rateDaysText({ begins, until: evidence.until, isOld: overdue !== undefined });
}

/** The command line of `stats` for the same history and type. */
function statsCommand(
  invocation: Invocation,
  options: OfHistory,
  more: Readonly<Record<string, string>> = {},
): string {
  const sameOptions = { ...historyOptions(options), '--type': options.type };
  return commandLine(invocation, 'stats', { ...sameOptions, ...more });
}

/** The command lines that show more of a type. */
function commandsForType(
  invocation: Invocation,
  options: OfHistory,
  { settings }: TypeDetails,
): string[] {
  const commands = [
    tuneCommand(invocation, options, options.type),
    statsCommand(invocation, options),
  ];
  if (settings.changes.length > 0) {
    commands.push(statsCommand(invocation, options, { '--by': 'settings' }));
  }
  return commands;
}

/** The fields of the JSON document beside the screeners. @param now epoch milliseconds UTC */
function headOf(typeDetails: TypeDetails | undefined, now: number): LocalScreenersHead {
  const common = { scope: 'local_history', generated_at: formatApiTime(now) } as const;
  if (typeDetails === undefined)
    return { ...common, periods: null, changes: null, questions: null, cuts: null };
  const { settings: settingsThroughTime, tuning } = typeDetails;
  return {
    ...common,
    periods: settingsThroughTime.groups.map(({ group, settings, cards_per_day }) => ({
      // The group of a period is the time at which it begins.
      since: String(group),
      settings: [...settings],
      cards_per_day: cards_per_day ?? 0,
    })),
    changes: asPrinted(settingsThroughTime.changes),
    // `questions` and `cuts`.
    ...asPrinted(tuning),
  };
}

/** The screeners in the order of these types; screeners of other types come last. */
function inOrderOf(types: readonly string[], screeners: readonly LocalScreener[]): LocalScreener[] {
  const places = new Map(types.map((type, place) => [type, place]));
  const placeOf = ({ type }: LocalScreener) => places.get(type) ?? places.size;
  return screeners.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * The screeners as an export last saw them, then the types that have cards but no screener. The figures are the same as in
 * `stats --by type`. Pure.
 */
export function localScreeners(
  { evidence, looks, known }: Pick<Inquiry, 'evidence' | 'looks' | 'known'>,
  { groups, coincidences }: Comparison,
): LocalScreener[] {
  const { screeners, until, firstCardAt } = known;
  const cardsByType = groupBy(evidence.cards, ({ type }) => type);
  const typesWithoutScreener = [...cardsByType.keys()].filter(
    (type) => !screeners.some((screener) => screener.type === type),
  );
  const screenersAndTypes = [
    ...screeners.map(({ type, active, conditions }) => ({ type, active, conditions })),
    ...typesWithoutScreener.map((type) => ({ type, active: null, conditions: null })),
  ];
  return screenersAndTypes.map((screener): LocalScreener => {
    const { type } = screener;
    // The cards come newest first.
    const cardsOfType = cardsByType.get(type) ?? [];
    const group = groups.find((eachGroup) => eachGroup.group === type);
    const figures = group?.figures;
    // A type without cards has no group, but it may be silent: so this time is not the group's.
    const inUseSince = evidence.inUseSince?.get(type);
    const rateBegins = beginOfRate(group?.inUseSince, firstCardAt);
    const perDay = (isCounted: (card: HistoryCard) => boolean) =>
      twoDecimals(cardsPerDay(cardsOfType.filter(isCounted), until, { since: rateBegins }));
    const lastCardAt = cardsOfType[0]?.at;
    const periods = settingsPeriods(looks, type);
    return {
      ...screener,
      configured_at: apiTimeOrNull(configuredSince(periods)),
      off_since: screener.active === false ? apiTimeOrNull(offSince(periods)) : null,
      covered_until: formatApiTime(until),
      cards_per_day: figures?.cards_per_day ?? 0,
      repeats_per_day: perDay((card) => coincidences?.repeats.has(card) === true),
      overlaps_per_day: perDay((card) => coincidences?.types.has(card) === true),
      last_card_at: apiTimeOrNull(lastCardAt),
      silent:
        silenceOf(type, { cards: group?.cards ?? [], lastCardAt, inUseSince }, known) !== undefined,
      settings_since: figures?.settings_since ?? null,
      coincides_with: figures?.coincides_with ?? [],
      horizons: byHorizon((name) =>
        figures === undefined ? null : asPrinted(figures.horizons[name]),
      ),
    };
  });
}
