import { byHorizon } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import { settingsPeriods } from '../history/store/answers.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { Comparison } from '../outcomes/figures.ts';
import { cardsPerDay, twoDecimals } from '../outcomes/rate.ts';
import type { Row } from '../outcomes/row.ts';
import { ranked, silence } from '../outcomes/standing.ts';
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
import {
  explainEmpty,
  judgedTypes,
  printList,
  readSample,
  type Sample,
} from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, exportCommand, historyOptions } from './parts/next-command.ts';
import { settingsHistory } from './parts/settings-history.ts';
import type { OfHistory } from './parts/where.ts';
import { triesOf, tuneCommand, tuneEvidence } from './tune.ts';

export async function run(invocation: Invocation, options: OfHistory): Promise<void> {
  const { history, type } = options;
  const sample = await readSample(invocation, { history });
  const { question } = sample;
  const { comparison, standings } = judgedTypes(sample);
  const items = localScreeners(sample, comparison).filter(
    (one) => type === undefined || one.type === type,
  );
  if (type !== undefined && items.length === 0) {
    await explainEmpty(invocation, { history, type });
    if (invocation.output.isForPeople) return;
  }
  const isPage = type !== undefined && items.length > 0;
  const one = isPage
    ? { history: settingsHistory(sample, type), tuning: tuningOf(tuneEvidence(sample), { type }) }
    : null;
  const head: LocalScreenersHead = {
    scope: 'local_history',
    generated_at: formatApiTime(question.now),
    periods:
      one?.history.groups.map(({ group, settings, cards_per_day }) => ({
        since: String(group),
        settings: [...settings],
        cards_per_day: cards_per_day ?? 0,
      })) ?? null,
    changes: asPrinted(one?.history.changes ?? null),
    ...(one === null ? { questions: null, cuts: null } : asPrinted(one.tuning)),
  };
  const inFull = [
    tuneCommand(invocation, options, type),
    commandLine(invocation, 'stats', { ...historyOptions(options), '--type': type }),
  ];
  const known = {
    standings: ranked(standings),
    why: sample.why,
    days: rateDays(sample.known.first, question.until),
    gather: exportCommand(invocation, options.from),
  };
  const page = (render: RenderContext) =>
    one === null
      ? screenersPage(items, triesOf(invocation, options, sample, standings), known, render)
      : screenerPage({ screeners: items, all: known, inFull, ...one }, render);
  await printList(invocation, localScreenersView, { items, head, page });
}

/** The screeners as last looked at, then types that only have cards; figures as in `stats --by type`. Pure. */
export function localScreeners(
  { rows, looks, known }: Pick<Sample, 'rows' | 'looks' | 'known'>,
  { groups, company }: Comparison,
): LocalScreener[] {
  const { screeners, until } = known;
  const byType = groupBy(rows, ({ type }) => type);
  const others = [...byType.keys()].filter((type) => !screeners.some((one) => one.type === type));
  const first = rows.at(-1)?.at ?? until;
  return [
    ...screeners.map(({ type, active, conditions }) => ({ type, active, conditions })),
    ...others.map((type) => ({ type, active: null, conditions: null })),
  ].map((one): LocalScreener => {
    const own = byType.get(one.type) ?? [];
    const figures = groups.find(({ group }) => group === one.type);
    const since = Date.parse(figures?.settings_since ?? '') || first;
    const perDay = (isMeant: (row: Row) => boolean) =>
      twoDecimals(cardsPerDay(own.filter(isMeant), until, { since }));
    const last = own[0]?.at;
    const changed = settingsPeriods(looks, one.type).at(-1)?.since ?? Number.NEGATIVE_INFINITY;
    return {
      ...one,
      configured_at: Number.isFinite(changed) ? formatApiTime(changed) : null,
      covered_until: formatApiTime(until),
      cards_per_day: figures?.cards_per_day ?? 0,
      repeats_per_day: perDay((row) => company?.repeats.has(row) === true),
      overlaps_per_day: perDay((row) => company?.types.has(row) === true),
      last_card_at: last === undefined ? null : formatApiTime(last),
      silent: silence(one.type, last, known) !== undefined,
      settings_since: figures?.settings_since ?? null,
      coincides_with: figures?.coincides_with ?? [],
      horizons: byHorizon((name) =>
        figures === undefined ? null : asPrinted(figures.horizons[name]),
      ),
    };
  });
}
