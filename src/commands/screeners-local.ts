/** `screener screeners` of a history: each screener with its settings, and how it stands. Sends nothing. */
import { byHorizon } from '../api/contract/horizons.ts';
import { apiTimeOrNull, formatApiTime } from '../api/time.ts';
import { groupBy, matches } from '../base/collections.ts';
import { configuredSince, offSince, settingsPeriods } from '../history/store/settings-periods.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { cardsPerDay, twoDecimals } from '../outcomes/rate.ts';
import type { Row } from '../outcomes/row.ts';
import { rankStandings, silentDaysOf } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import type { Tuning } from '../outcomes/tune-types.ts';
import { rateDays } from '../output/format.ts';
import type { RenderContext } from '../output/types.ts';
import { actionsOf } from '../output/views/actions.ts';
import {
  type LocalScreener,
  type LocalScreenersHead,
  localScreenersView,
  screenerPage,
  screenersPage,
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
import { searchSettings, tuneCommand } from './tune.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { history, type } = options;
  const foreseesExports = type !== undefined;
  const inquiry = await inquire(invocation, { history, from: options.from }, { foreseesExports });
  const { evidence } = inquiry;
  const { comparison, standings } = judgedTypes(inquiry);
  const items = inOrderOf(
    typesInOrder(rankStandings(standings)),
    localScreeners(inquiry, comparison).filter((screener) => matches(screener.type, type)),
  );
  if (type !== undefined && items.length === 0) {
    await explainEmpty(invocation, { history, type });
    if (invocation.output.isForPeople) {
      if (inquiry.overdue !== undefined) noteOverdue(invocation, inquiry.overdue);
      const nothing = `no settings of '${type}', and no card of it in the last 180 days`;
      return invocation.notes.note(`This history has ${nothing}.`);
    }
  }
  const isPageOfType = type !== undefined && items.length > 0;
  const typePage: TypePage | undefined = isPageOfType
    ? { history: settingsHistory(inquiry, type), tuning: tuningOf(evidence, { type }) }
    : undefined;
  const statsOf = (more: Readonly<Record<string, string | undefined>>) =>
    commandLine(invocation, 'stats', { ...historyOptions(options), '--type': type, ...more });
  const hasChanges = typePage !== undefined && typePage.history.changes.length > 0;
  const inFull = [
    tuneCommand(invocation, options, type),
    statsOf({}),
    ...(hasChanges ? [statsOf({ '--by': 'settings' })] : []),
  ];
  const isOld = inquiry.overdue !== undefined;
  const rateDaysSince = (first: number) => rateDays({ first, until: evidence.until, isOld });
  const inUseSince = comparison.groups.find(({ group }) => group === type)?.inUseSince;
  const ratedSince = Math.max(inquiry.known.firstCardAt, inUseSince ?? 0);
  const known = {
    standings: rankStandings(standings),
    caveats: inquiry.caveats,
    rateDays: rateDaysSince(inquiry.known.firstCardAt),
    exportCommand: exportCommand(invocation, options.from),
    figures: statsOf({ '--by': 'type' }),
  };
  const page = (render: RenderContext) => {
    if (typePage === undefined) {
      const search = searchSettings(invocation, options, inquiry);
      const { settings } = actionsOf(standings, search);
      const tries = worthTrying(settings?.suggestions ?? [], standings);
      return screenersPage(items, tries, known, render);
    }
    const daysOfRate = rateDaysSince(ratedSince);
    const ofType = { ...typePage, screeners: items, all: known, rateDays: daysOfRate, inFull };
    return screenerPage(ofType, render);
  };
  const head = headOf(typePage, evidence.now);
  await printList(invocation, localScreenersView, { items, head, overdue: inquiry.overdue, page });
}

/** What the page of a single type shows besides its screeners. */
interface TypePage {
  readonly history: SettingsHistory;
  readonly tuning: Tuning;
}

/** The fields of the JSON document beside the screeners. @param now epoch milliseconds UTC */
function headOf(typePage: TypePage | undefined, now: number): LocalScreenersHead {
  const common = { scope: 'local_history', generated_at: formatApiTime(now) } as const;
  if (typePage === undefined)
    return { ...common, periods: null, changes: null, questions: null, cuts: null };
  const { history, tuning } = typePage;
  return {
    ...common,
    periods: history.groups.map(({ group, settings, cards_per_day }) => ({
      since: String(group),
      settings: [...settings],
      cards_per_day: cards_per_day ?? 0,
    })),
    changes: asPrinted(history.changes),
    ...asPrinted(tuning),
  };
}

/** The screeners in the order of `types`; screeners of other types come last. */
function inOrderOf(types: readonly string[], screeners: readonly LocalScreener[]): LocalScreener[] {
  const places = new Map(types.map((type, place) => [type, place]));
  const placeOf = ({ type }: LocalScreener) => places.get(type) ?? places.size;
  return screeners.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The screeners as last looked at, then types that only have cards; figures as in `stats --by type`. Pure. */
export function localScreeners(
  { evidence, looks, known }: Pick<Inquiry, 'evidence' | 'looks' | 'known'>,
  { groups, coincidences }: Comparison,
): LocalScreener[] {
  const { screeners, until } = known;
  const byType = groupBy(evidence.cards, ({ type }) => type);
  const typesWithoutScreener = [...byType.keys()].filter(
    (type) => !screeners.some((screener) => screener.type === type),
  );
  const firstCardAt = evidence.cards.at(-1)?.at ?? until;
  return [
    ...screeners.map(({ type, active, conditions }) => ({ type, active, conditions })),
    ...typesWithoutScreener.map((type) => ({ type, active: null, conditions: null })),
  ].map((screener): LocalScreener => {
    const { type } = screener;
    const cardsOfType = byType.get(type) ?? [];
    const group = groups.find((eachGroup) => eachGroup.group === type);
    const figures = group?.figures;
    const inUseSince = evidence.inUseSince?.get(type);
    const since = group?.inUseSince ?? firstCardAt;
    const perDay = (isCounted: (row: Row) => boolean) =>
      twoDecimals(cardsPerDay(cardsOfType.filter(isCounted), until, { since }));
    const lastCardAt = cardsOfType[0]?.at;
    const periods = settingsPeriods(looks, type);
    return {
      ...screener,
      configured_at: apiTimeOrNull(configuredSince(periods)),
      off_since: screener.active === false ? apiTimeOrNull(offSince(periods)) : null,
      covered_until: formatApiTime(until),
      cards_per_day: figures?.cards_per_day ?? 0,
      repeats_per_day: perDay((row) => coincidences?.repeats.has(row) === true),
      overlaps_per_day: perDay((row) => coincidences?.types.has(row) === true),
      last_card_at: apiTimeOrNull(lastCardAt),
      silent: silentDaysOf(type, { lastCardAt, inUseSince }, known) !== undefined,
      settings_since: figures?.settings_since ?? null,
      coincides_with: figures?.coincides_with ?? [],
      horizons: byHorizon((name) =>
        figures === undefined ? null : asPrinted(figures.horizons[name]),
      ),
    };
  });
}
