/** `screener screeners` of a history: each screener with its settings, and how it stands. Sends nothing. */
import { byHorizon } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { configuredSince, settingsPeriods } from '../history/store/settings-periods.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { cardsPerDay, twoDecimals } from '../outcomes/rate.ts';
import type { Row } from '../outcomes/row.ts';
import { rankStandings, silentDaysOf } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import { rateDays } from '../output/format.ts';
import type { RenderContext } from '../output/types.ts';
import {
  type LocalScreener,
  type LocalScreenersHead,
  localScreenersView,
  screenerPage,
  screenersPage,
} from '../output/views/local-screeners.ts';
import { typesInOrder } from '../output/views/sections.ts';
import { printList } from './parts/history-list.ts';
import { explainEmpty, type Inquiry, inquire, judgedTypes } from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { triesOf, tuneCommand } from './tune.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { history, type } = options;
  const inquiry = await inquire(invocation, { history, from: options.from });
  const { evidence } = inquiry;
  const { comparison, standings } = judgedTypes(inquiry);
  const items = inOrderOf(
    typesInOrder(rankStandings(standings)),
    localScreeners(inquiry, comparison).filter((one) => type === undefined || one.type === type),
  );
  if (type !== undefined && items.length === 0) {
    await explainEmpty(invocation, { history, type });
    if (invocation.output.isForPeople) {
      const nothing = `no settings of '${type}', and no card of it in the last 180 days`;
      return invocation.notes.note(`This history has ${nothing}.`);
    }
  }
  const isPage = type !== undefined && items.length > 0;
  const one = isPage
    ? { history: settingsHistory(inquiry, type), tuning: tuningOf(evidence, { type }) }
    : null;
  const head: LocalScreenersHead = {
    scope: 'local_history',
    generated_at: formatApiTime(evidence.now),
    periods:
      one?.history.groups.map(({ group, settings, cards_per_day }) => ({
        since: String(group),
        settings: [...settings],
        cards_per_day: cards_per_day ?? 0,
      })) ?? null,
    changes: asPrinted(one?.history.changes ?? null),
    ...(one === null ? { questions: null, cuts: null } : asPrinted(one.tuning)),
  };
  const statsOf = (more: Readonly<Record<string, string | undefined>>) =>
    commandLine(invocation, 'stats', { ...historyOptions(options), '--type': type, ...more });
  const hasChanges = one !== null && one.history.changes.length > 0;
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
    why: inquiry.why,
    rateDays: rateDaysSince(inquiry.known.firstCardAt),
    gather: exportCommand(invocation, options.from),
    figures: statsOf({ '--by': 'type' }),
  };
  const page = (render: RenderContext) =>
    one === null
      ? screenersPage(items, triesOf(invocation, options, inquiry, standings), known, render)
      : screenerPage(
          { screeners: items, all: known, rateDays: rateDaysSince(ratedSince), inFull, ...one },
          render,
        );
  await printList(invocation, localScreenersView, { items, head, page });
}

/** Types that are not among `types` come last. */
function inOrderOf(types: readonly string[], screeners: readonly LocalScreener[]): LocalScreener[] {
  const places = new Map(types.map((type, place) => [type, place]));
  const placeOf = ({ type }: LocalScreener) => places.get(type) ?? places.size;
  return screeners.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The screeners as last looked at, then types that only have cards; figures as in `stats --by type`. Pure. */
export function localScreeners(
  { evidence, looks, known }: Pick<Inquiry, 'evidence' | 'looks' | 'known'>,
  { groups, coincidences }: Comparison,
): LocalScreener[] {
  const { screeners, until } = known;
  const byType = groupBy(evidence.cards, ({ type }) => type);
  const others = [...byType.keys()].filter((type) => !screeners.some((one) => one.type === type));
  const first = evidence.cards.at(-1)?.at ?? until;
  return [
    ...screeners.map(({ type, active, conditions }) => ({ type, active, conditions })),
    ...others.map((type) => ({ type, active: null, conditions: null })),
  ].map((one): LocalScreener => {
    const own = byType.get(one.type) ?? [];
    const judged = groups.find(({ group }) => group === one.type);
    const figures = judged?.figures;
    const inUseSince = evidence.inUseSince?.get(one.type);
    const since = judged?.inUseSince ?? first;
    const perDay = (isMeant: (row: Row) => boolean) =>
      twoDecimals(cardsPerDay(own.filter(isMeant), until, { since }));
    const last = own[0]?.at;
    const changed = configuredSince(settingsPeriods(looks, one.type));
    return {
      ...one,
      configured_at: changed === undefined ? null : formatApiTime(changed),
      covered_until: formatApiTime(until),
      cards_per_day: figures?.cards_per_day ?? 0,
      repeats_per_day: perDay((row) => coincidences?.repeats.has(row) === true),
      overlaps_per_day: perDay((row) => coincidences?.types.has(row) === true),
      last_card_at: last === undefined ? null : formatApiTime(last),
      silent: silentDaysOf(one.type, { lastCardAt: last, inUseSince }, known) !== undefined,
      settings_since: figures?.settings_since ?? null,
      coincides_with: figures?.coincides_with ?? [],
      horizons: byHorizon((name) =>
        figures === undefined ? null : asPrinted(figures.horizons[name]),
      ),
    };
  });
}
