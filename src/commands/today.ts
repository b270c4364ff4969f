import { formatApiTime } from '../api/time.ts';
import { ScreenerError } from '../errors.ts';
import { knownUntil, lastSuccess, loadManifest } from '../history/export-manifest.ts';
import { readScreenersLog } from '../history/screeners-log.ts';
import { type Today, todayView } from '../output/views/today.ts';
import { DAY } from '../runtime/units.ts';
import type { WithDirectory } from './declaration.ts';
import type { TodayOptions } from './declarations/today.ts';
import { readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { summarizeToday, USUAL_DAYS } from './today/summary.ts';
import { unusual } from './today/unusual.ts';

/**
 * `screener today`: the morning's look, from the local history and the ledger; 0 credits, nothing is sent. With
 * --refresh the history is brought up to date first; where that fails, what is there is shown, and the failure is the
 * command's.
 */
export async function run(invocation: Invocation, { directory, refresh }: TodayOptions & WithDirectory): Promise<void> {
  const { context, globals, output } = invocation;
  if (refresh && globals.plan) return refreshHistory(invocation, directory);
  const failure = refresh ? await refreshHistory(invocation, directory).catch((error: unknown) => error) : undefined;
  const now = context.clock.now();
  const cards = await readRows(invocation, directory, { since: now - (USUAL_DAYS + 1) * DAY });
  const manifest = await loadManifest(directory);
  const months = Object.values(manifest?.months ?? {});
  const known = {
    history: {
      directory,
      cards: Math.max(
        cards.length,
        months.reduce((sum, month) => sum + month.cards, 0),
      ),
      updated_at: lastSuccess(manifest) ?? null,
      outcomes_due: manifest?.remaining.outcomes_due ?? 0,
    },
    credits: await creditsKnown(invocation),
  };
  const settings = (await readScreenersLog(directory)).at(-1)?.screeners;
  const today: Today = {
    generated_at: formatApiTime(now),
    ...known,
    ...summarizeToday(cards, now),
    unusual: unusual(cards, known, settings, { now, until: knownUntil(manifest, now) }),
  };
  await output.one(todayView, today);
  if (failure !== undefined) throw failure;
}

/** An export that prints nothing but its summary sentence. */
async function refreshHistory(invocation: Invocation, directory: string): Promise<void> {
  const { run: runExport } = await import('./signals-export.ts');
  const { globals, output } = invocation;
  const silent = globals.plan ? output : { ...output, format: 'table' as const };
  await runExport({ ...invocation, output: silent, globals: { ...globals, fields: undefined } }, { directory });
}

/** The credits as this machine knows them; nothing is asked. */
async function creditsKnown(invocation: Invocation): Promise<Today['credits']> {
  try {
    const { account, client } = await invocation.connect();
    // The demo knows nothing of an earlier run, and asks nobody but itself.
    if (invocation.globals.demo) account.observe(await client.call('access', {}));
    const known = account.known();
    const remaining = account.monthLeft();
    if (known === undefined || remaining === undefined) return null;
    const today = account.today();
    return {
      remaining,
      limit: known.credits.limit,
      resets_at: known.credits.resets_at,
      known_at: formatApiTime(known.at),
      spent_today: today.charged + today.uncertain,
      last: account.forecast()?.goneAt === undefined,
    };
  } catch (error) {
    if (error instanceof ScreenerError && error.code === 'not_logged_in') return null;
    throw error;
  }
}
