import { formatApiTime } from '../api/time.ts';
import { knownUntil, loadManifest } from '../history/export-manifest.ts';
import { readScreenersLog, type ScreenersLook } from '../history/screeners-log.ts';
import type { StatsAnswer } from '../history/stats-log.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { GroupFigures } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { groupBy } from '../outcomes/group.ts';
import { cardsPerDay } from '../outcomes/rate.ts';
import type { Row } from '../outcomes/row.ts';
import { type LocalScreener, localScreenersView, SCREENER_FIGURES } from '../output/views/local-screeners.ts';
import { answersWithin, readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { SILENT_AFTER } from './today/unusual.ts';

/** `screener screeners --local`: the settings as last looked at, and what the history holds of each type; 0 credits. */
export async function run(invocation: Invocation, { directory }: { readonly directory: string }): Promise<void> {
  const { context, output } = invocation;
  const now = context.clock.now();
  const rows = await readRows(invocation, directory, {});
  const look = (await readScreenersLog(directory)).at(-1);
  const until = knownUntil(await loadManifest(directory), now);
  const items = localScreeners(rows, look, until, await answersWithin({ directory }));
  await output.list(localScreenersView, {
    batches: [{ items, more: false }],
    head: () => ({ scope: 'local_history', items: [], generated_at: formatApiTime(now) }),
  });
}

/**
 * The screeners as last looked at, then types of which there are cards alone. Pure.
 * @param answers what the service said of the types
 * @param until when the history ends, epoch milliseconds UTC: of what came since, nothing is known
 */
export function localScreeners(
  rows: readonly Row[],
  look: ScreenersLook | undefined,
  until: number,
  answers: readonly StatsAnswer[] = [],
): LocalScreener[] {
  const { groups } = figuresOf(rows, { by: 'type', now: until, answers });
  const figures = new Map(groups.map((group) => [group.group, group]));
  const settings = look?.screeners.items ?? [];
  const named = new Set(settings.map(({ type }) => type));
  const others = [...figures.keys()].filter((type): type is string => type !== null && !named.has(type));
  const byType = groupBy(rows, ({ type }) => type);
  const configuredAt = look === undefined ? null : formatApiTime(look.at);
  return [
    ...settings.map(({ type, active, conditions }) => ({ type, active, conditions })),
    ...others.map((type) => ({ type, active: null, conditions: null })),
  ].map((one) => {
    const times = (byType.get(one.type) ?? []).map(({ at }) => at);
    const last = times.length === 0 ? undefined : times.reduce((newest, at) => Math.max(newest, at));
    return {
      ...one,
      configured_at: configuredAt,
      covered_until: formatApiTime(until),
      cards_per_day: Number(cardsPerDay(times, until).toFixed(2)),
      last_card_at: last === undefined ? null : formatApiTime(last),
      silent: one.active === true && until - (last ?? 0) > SILENT_AFTER,
      horizons: { '1h': partOf(figures.get(one.type), '1h'), '24h': partOf(figures.get(one.type), '24h') },
    };
  });
}

function partOf(group: GroupFigures | undefined, name: '1h' | '24h'): LocalScreener['horizons']['24h'] {
  if (group === undefined) return null;
  const figures = asPrinted(group.horizons[name]);
  return Object.fromEntries(SCREENER_FIGURES.map((key) => [key, figures[key]])) as LocalScreener['horizons']['24h'];
}
