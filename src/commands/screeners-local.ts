import { byHorizon, type HorizonName } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { knownUntil } from '../history/store/manifest.ts';
import { type ScreenersLook, settingsPeriods } from '../history/store/screeners-log.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { GroupFigures } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { groupBy } from '../outcomes/group.ts';
import { cardsPerDay, twoDecimals } from '../outcomes/rate.ts';
import type { Row } from '../outcomes/row.ts';
import type { ServiceAnswer } from '../outcomes/service-medians.ts';
import { answersOf } from '../outcomes/settings-change.ts';
import { asWritten, tuningOf } from '../outcomes/tune.ts';
import {
  type LocalScreener,
  type LocalScreenersHead,
  localScreenersView,
  SCREENER_FIGURES,
} from '../output/views/local-screeners.ts';
import { screenerPage } from '../output/views/screener-page.ts';
import { HOUR } from '../runtime/units.ts';
import { explainEmpty, type OfHistory, printList, readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { commandLine } from './next-command.ts';
import { settingsHistory } from './settings-history.ts';
import { SILENT_AFTER } from './today/unusual.ts';

/**
 * `screener screeners --local [TYPE]`: the settings as last looked at, and what the history holds of each type, or a page
 * of one; 0 credits.
 */
export async function run(invocation: Invocation, { history, from, type }: OfHistory): Promise<void> {
  const now = invocation.context.clock.now();
  const rows = await readRows(invocation, { history });
  const looks = await history.looks();
  const until = knownUntil(await history.manifest(), now);
  const answers = await history.answers();
  const items = localScreeners(rows, looks, until, answers).filter((one) => type === undefined || one.type === type);
  if (type !== undefined && items.length === 0) {
    await explainEmpty(invocation, { history, type });
    if (invocation.output.isForPeople) return;
  }
  const one = type === undefined || items.length === 0 ? undefined : oneOf(type);
  const head: LocalScreenersHead = {
    scope: 'local_history',
    generated_at: formatApiTime(now),
    periods:
      one?.history.groups.map(({ group, settings, cards_per_day }) => ({
        since: String(group),
        settings: [...settings],
        cards_per_day,
      })) ?? null,
    changes: asPrinted(one?.history.changes ?? null),
    ...(one === undefined ? { questions: null, cuts: null } : asWritten(one.tuning)),
  };
  const page = one && screenerPage({ screeners: items, ...one });
  await printList(invocation, localScreenersView, { items, head, page });

  function oneOf(type: string) {
    const where = from === undefined ? ['--local'] : ['--from', history.directory];
    return {
      history: settingsHistory(rows, looks, { type, until, answers }),
      tuning: tuningOf(rows.filter((row) => row.type === type)),
      inFull: [
        commandLine(invocation, ['tune'], from === undefined ? [] : where, type),
        commandLine(invocation, ['stats', ...where, '--type', type]),
      ],
    };
  }
}

/**
 * The screeners as last looked at, then types of which there are cards alone. The figures are those of `stats --by type`:
 * since the type's last change of settings, where that has enough days, else of all cards. Pure.
 * @param looks at the settings, oldest first
 * @param answers what the service said of the types
 * @param until when the history ends, epoch milliseconds UTC: of what came since, nothing is known
 */
export function localScreeners(
  rows: readonly Row[],
  looks: readonly ScreenersLook[],
  until: number,
  answers: readonly ServiceAnswer[] = [],
): LocalScreener[] {
  const settings = looks.at(-1)?.screeners.items ?? [];
  const byType = groupBy(rows, ({ type }) => type);
  const named = new Set(settings.map(({ type }) => type));
  const others = [...byType.keys()].filter((type) => !named.has(type));
  const figuresSince = remembered((since: number) => {
    const within = rows.filter(({ at }) => at >= since);
    const then = answersOf(answers, { since, until: Number.POSITIVE_INFINITY });
    return new Map(figuresOf(within, { by: 'type', now: until, answers: then }).groups.map((one) => [one.group, one]));
  });
  const company = companyOf(rows);
  return [
    ...settings.map(({ type, active, conditions }) => ({ type, active, conditions })),
    ...others.map((type) => ({ type, active: null, conditions: null })),
  ].map((one): LocalScreener => {
    const own = byType.get(one.type) ?? [];
    const perDay = (isMeant?: (row: Row) => boolean) => twoDecimals(cardsPerDay(own, until, { isMeant }));
    const last = own.reduce<number | undefined>((newest, { at }) => Math.max(newest ?? at, at), undefined);
    const changed = settingsPeriods(looks, one.type).at(-1)?.since ?? Number.NEGATIVE_INFINITY;
    const ofLast = figuresSince(changed).get(one.type);
    const isEnough = !Number.isFinite(changed) || (ofLast?.horizons['24h'].p_vs_btc ?? null) !== null;
    const figures = isEnough ? ofLast : figuresSince(Number.NEGATIVE_INFINITY).get(one.type);
    const changedAt = Number.isFinite(changed) ? formatApiTime(changed) : null;
    return {
      ...one,
      configured_at: changedAt,
      covered_until: formatApiTime(until),
      cards_per_day: perDay(),
      repeats_per_day: perDay((row) => company.get(row)?.repeats === true),
      overlaps_per_day: perDay((row) => company.get(row)?.overlaps === true),
      last_card_at: last === undefined ? null : formatApiTime(last),
      silent: one.active === true && until - (last ?? 0) > SILENT_AFTER,
      figures_since: isEnough ? changedAt : null,
      horizons: byHorizon((name) => partOf(figures, name)),
    };
  });
}

function remembered<T>(make: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

interface Company {
  /** Another card of the type came on the symbol within the hour before. */
  readonly repeats: boolean;
  /** A card of another type came on the symbol within an hour. */
  readonly overlaps: boolean;
}

/** What other cards there are on a card's symbol within an hour. */
function companyOf(rows: readonly Row[]): Map<Row, Company> {
  const company = new Map<Row, Company>();
  for (const ofSymbol of groupBy(rows, ({ symbol }) => symbol).values()) {
    const byTime = ofSymbol.toSorted((a, b) => a.at - b.at || a.id - b.id);
    let first = 0;
    for (const [i, row] of byTime.entries()) {
      while ((byTime[first]?.at ?? row.at) < row.at - HOUR) first += 1;
      const before = byTime.slice(first, i);
      let next = i + 1;
      while ((byTime[next]?.at ?? Number.POSITIVE_INFINITY) <= row.at + HOUR) next += 1;
      const isOther = ({ type }: Row) => type !== row.type;
      company.set(row, {
        repeats: before.some((other) => !isOther(other)),
        overlaps: before.some(isOther) || byTime.slice(i + 1, next).some(isOther),
      });
    }
  }
  return company;
}

function partOf(group: GroupFigures | undefined, name: HorizonName): LocalScreener['horizons'][HorizonName] {
  if (group === undefined) return null;
  const figures = asPrinted(group.horizons[name]);
  return Object.fromEntries(
    SCREENER_FIGURES.map((key) => [key, figures[key]]),
  ) as LocalScreener['horizons'][HorizonName];
}
