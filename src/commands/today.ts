import { formatApiTime } from '../api/time.ts';
import { StoppedByUser } from '../errors.ts';
import { asPrinted } from '../outcomes/figure.ts';
import type { Comparison } from '../outcomes/figure-table.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { changedSince } from '../outcomes/past.ts';
import { forecastSentence } from '../output/views/access.ts';
import { type Today, todayView } from '../output/views/today.ts';
import { DAY } from '../runtime/units.ts';
import { accountLoggedIn } from './parts/find-history.ts';
import { type OfHistory, readSample } from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, historyWords } from './parts/next-command.ts';
import { silences } from './parts/settings-history.ts';
import { summarizeToday, unusual } from './parts/today-summary.ts';
import { triesOf, tuneCommand } from './parts/tune-command.ts';

interface Options extends OfHistory {
  readonly refresh: boolean;
}

/** `screener today`: sends nothing. If --refresh fails, what is there is shown, then the failure. */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { globals, output } = invocation;
  const { history, refresh } = options;
  const pageOf = (type: string) => commandLine(invocation, ['screeners'], historyWords(options), type);
  if (refresh && globals.plan) return refreshHistory(invocation, history);
  const failure = refresh ? await refreshHistory(invocation, history).catch((error: unknown) => error) : undefined;
  const sample = await readSample(invocation, { history });
  const { rows, question } = sample;
  const { now, until } = question;
  const compared = figuresOf(rows, { ...question, by: 'type' });
  const manifest = await history.manifest();
  const known = {
    history: {
      directory: history.directory,
      cards: rows.length,
      updated_at: manifest?.last_success ?? null,
      covered_until: formatApiTime(until),
      outcomes_due: manifest?.remaining.outcomes_due ?? 0,
    },
    credits: await creditsKnown(invocation),
    ...summarizeToday(rows, until, compared),
    verdicts_changed: verdictsChanged(compared, now),
  };
  const found = unusual(sample, known, pageOf);
  const today: Today = asPrinted({ generated_at: formatApiTime(now), ...known, unusual: found });
  const next = [
    commandLine(invocation, ['stats', ...historyWords(options), '--by', 'type']),
    tuneCommand(invocation, options),
  ];
  const tries = triesOf(invocation, options, sample);
  await output.one(todayView({ ...compared, ...silences(sample), tries, next }), today);
  if (failure !== undefined) throw failure;
}

function verdictsChanged({ standings }: Comparison, now: number): Today['verdicts_changed'] {
  return standings.flatMap(({ group, standings: own }) => {
    const change = changedSince(own, now - 7 * DAY);
    if (group === null || change === undefined) return [];
    return [{ screener_type: group, ...change, since: formatApiTime(change.since) }];
  });
}

/** On a terminal its page tells the rest: further lines would push it off a small screen. */
async function refreshHistory(invocation: Invocation, history: Options['history']): Promise<void> {
  const { exportHistory, printExportQuote } = await import('./parts/export-history.ts');
  const { context, globals, closing } = invocation;
  const options = { history, outcomes: true, screeners: true, stats: true };
  if (globals.plan) return printExportQuote(invocation, options);
  const { summary, sentence, failure } = await exportHistory(invocation, options);
  if (!context.stderr.isTTY) closing.push(sentence);
  if (summary.stopped_by === 'interrupted') throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}

async function creditsKnown(invocation: Invocation): Promise<Today['credits']> {
  const { context, globals } = invocation;
  if (!globals.demo && accountLoggedIn(context, globals.baseUrl) === undefined) return null;
  const { account, client } = await invocation.connect();
  // The demo knows nothing of an earlier run, and asks nobody but itself.
  if (globals.demo) await client.call('access', {});
  const { access, monthLeft: remaining, today, forecast } = account.known();
  if (access === undefined || remaining === undefined) return null;
  return {
    remaining,
    limit: access.credits.limit,
    resets_at: access.credits.resets_at,
    known_at: formatApiTime(access.at),
    spent_today: today.charged + today.uncertain,
    last: forecast?.goneAt === undefined,
    forecast: forecast === undefined ? null : forecastSentence(forecast),
  };
}
